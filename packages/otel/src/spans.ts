import type { DecisionRecord } from "@aforo/core";
import { trace } from "@opentelemetry/api";
import { decisionAttributes } from "./metrics.ts";
import { ATTRIBUTES } from "./names.ts";

/** Writes a decision on the active span, if one is recording: that of the request, under an HTTP instrumentation. */
export function describeOnSpan(record: DecisionRecord): void {
  const span = trace.getActiveSpan();
  if (span === undefined || !span.isRecording()) return;
  const { remaining, waitMs } = record;
  span.setAttributes({
    ...decisionAttributes(record),
    [ATTRIBUTES.remaining]: remaining,
    [ATTRIBUTES.wait]: waitMs === null ? undefined : waitMs / 1_000,
  });
}
