import type { DecisionRecord } from "@aforo/core";
import { trace } from "@opentelemetry/api";
import { ATTRIBUTES } from "./names.ts";

/** Writes a decision on the active span, if one is recording: that of the request, under an HTTP instrumentation. */
export function describeOnSpan(record: DecisionRecord): void {
  const span = trace.getActiveSpan();
  if (span === undefined || !span.isRecording()) return;
  span.setAttributes({
    [ATTRIBUTES.limiter]: record.limiter,
    [ATTRIBUTES.policy]: record.policy,
    [ATTRIBUTES.class]: record.class,
    [ATTRIBUTES.outcome]: record.decision,
    [ATTRIBUTES.reason]: record.reason,
    [ATTRIBUTES.source]: record.source,
    [ATTRIBUTES.remaining]: record.remaining,
    [ATTRIBUTES.wait]: record.waitMs === null ? undefined : record.waitMs / 1_000,
  });
}
