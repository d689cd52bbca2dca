import type { Decision, PolicyDecision } from "../../domain/decision.ts";
import type { HeaderSink } from "./header-sink.ts";
import { secondsOf, waitOf } from "./seconds.ts";

export const LEGACY_NAMES: readonly string[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/** The three customary headers, of one policy. */
export function setLegacyHeaders(
  sink: HeaderSink,
  decision: Decision,
  policy: PolicyDecision,
  reset: "epoch" | "delta",
): void {
  const wait = waitOf(decision, policy);
  sink.setHeader("X-RateLimit-Limit", String(policy.capacity));
  sink.setHeader("X-RateLimit-Remaining", String(policy.remaining));
  sink.setHeader("X-RateLimit-Reset", String(secondsOf(reset === "epoch" ? decision.at + wait : wait)));
}
