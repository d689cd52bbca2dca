import { policyDecisionOf, type PolicyDecision, type Receipt } from "../domain/decision.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Algorithm, Reading } from "./algorithm.ts";

/**
 * What one policy says, from a reading taken of these cells and changed by the charge, if there was one.
 *
 * @param fits - whether this policy alone admits.
 */
export function report(
  algorithm: Algorithm,
  policy: ResolvedPolicy,
  cost: number,
  reading: Reading,
  cells: Float64Array,
  base: number,
  fits: boolean,
  blockedMs: number,
  delayMs: number,
  receipt: Receipt | undefined,
): PolicyDecision {
  let remaining = algorithm.remaining(policy, reading);
  let resetMs = algorithm.resetMs(policy, reading, cells, base);
  let retryAfterMs = 0;
  if (!fits && cost > 0 && !algorithm.admits(policy, reading, cost)) {
    retryAfterMs = algorithm.retryAfterMs(policy, reading, cost, cells, base);
  }
  if (blockedMs > 0) {
    // A blocked key has nothing to admit, and has its capacity back no sooner than the block ends.
    remaining = 0;
    resetMs = Math.max(blockedMs, resetMs);
    retryAfterMs = Math.max(blockedMs, retryAfterMs);
  }
  return policyDecisionOf(policy, cost, fits, remaining, resetMs, retryAfterMs, delayMs, blockedMs, receipt);
}
