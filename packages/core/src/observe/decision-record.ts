import type { Decision, PolicyDecision } from "../domain/decision.ts";
import type { Check } from "../domain/store.ts";
import { kindOf, type KeyDigest } from "./key-digest.ts";
import { isNear } from "./near-limit.ts";
import type { DecisionRecord, KeyRecord, PolicyRecord, ShadowRecord } from "./records.ts";
import { verdictOf } from "./shadows.ts";

/** What a record holds that the decision itself does not know. */
export interface Circumstances {
  readonly limiter: string;
  readonly class: string | undefined;
  readonly raised: boolean;
  readonly storeDown: boolean;
  readonly storeMs: number | undefined;
}

/**
 * @param checks - what was asked; where the store failed, what it would have been asked.
 * @param nearLimit - the share of the capacity from which on a key is near its limit.
 */
export function recordOf(
  decision: Decision,
  checks: readonly Check[],
  circumstances: Circumstances,
  keys: KeyDigest,
  nearLimit: number,
): DecisionRecord {
  const policies: PolicyRecord[] = [];
  const shadows: ShadowRecord[] = [];
  const { binding, allowed } = decision;
  let about: KeyRecord | undefined;
  let near = false;
  for (let index = 0; index < decision.policies.length; index++) {
    const policy = decision.policies[index] as PolicyDecision;
    const record = policyRecord(policy, checks[index] as Check, keys);
    if (policy === binding) about = record;
    if (policy.shadow) {
      shadows.push({ ...record, verdict: verdictOf(policy.allowed, allowed) });
      continue;
    }
    policies.push(record);
    near ||= isNear(policy, nearLimit);
  }
  // Where nobody counted there is still somebody who asked.
  const uncounted = binding === undefined ? checks.find((check) => !check.policy.shadow) : undefined;
  if (uncounted !== undefined) about = keys.of(uncounted.stateKey);
  return {
    at: decision.at,
    limiter: circumstances.limiter,
    class: circumstances.class,
    decision: allowed ? "admitted" : "denied",
    reason: decision.reason,
    source: decision.source,
    raised: circumstances.raised,
    storeDown: circumstances.storeDown,
    storeMs: circumstances.storeMs === undefined ? undefined : roundToMicroseconds(circumstances.storeMs),
    policy: binding?.name,
    algorithm: binding?.algorithm,
    limit: binding?.limit,
    window: binding?.window,
    capacity: binding?.capacity,
    cost: binding?.cost ?? uncounted?.cost,
    remaining: binding?.remaining,
    resetMs: binding?.resetMs,
    waitMs: finite(decision.retryAfterMs),
    delayMs: decision.delayMs,
    keyKind: about?.keyKind,
    keyHash: about?.keyHash,
    nearLimit: near,
    policies,
    shadows,
  };
}

function policyRecord(policy: PolicyDecision, check: Check, keys: KeyDigest): PolicyRecord {
  return {
    policy: policy.name,
    algorithm: policy.algorithm,
    keyKind: kindOf(check.stateKey),
    keyHash: keys.hash(check.stateKey),
    limit: policy.limit,
    window: policy.window,
    capacity: policy.capacity,
    cost: policy.cost,
    allowed: policy.allowed,
    remaining: policy.remaining,
    resetMs: policy.resetMs,
    waitMs: finite(policy.retryAfterMs),
  };
}

/** JSON has no `Infinity`. */
function finite(ms: number): number | null {
  return ms === Infinity ? null : ms;
}

export function roundToMicroseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
