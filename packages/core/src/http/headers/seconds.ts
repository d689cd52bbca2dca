import type { Decision, PolicyDecision } from "../../domain/decision.ts";

/** Whole seconds, rounded up: who waits that long must not come too early. */
export function secondsOf(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** What Retry-After says of a wait: at least 1, since 0 asks for an immediate retry. */
export function retryAfterSeconds(ms: number): number {
  return Math.max(1, secondsOf(ms));
}

/** Ms after which to come back when this policy denied, else after which its whole capacity is available. */
export function waitOf(decision: Decision, policy: PolicyDecision): number {
  // A cost that never fits has no moment to come back at; the capacity has.
  return decision.allowed || policy.allowed || policy.retryAfterMs === Infinity ? policy.resetMs : policy.retryAfterMs;
}
