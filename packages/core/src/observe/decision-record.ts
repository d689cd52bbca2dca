import type { Decision, PolicyDecision } from "../domain/decision.ts";
import type { Check } from "../domain/store.ts";
import type { KeyDigest } from "./key-digest.ts";
import { isNear } from "./near-limit.ts";
import type { DecisionRecord, PolicyRecord, ShadowRecord } from "./records.ts";
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
  let asked = checks.find((check) => !check.policy.shadow);
  for (const [index, policy] of decision.policies.entries()) {
    const check = checks[index] as Check;
    if (policy === binding) asked = check;
    const record = policyRecord(policy, check, keys);
    if (policy.shadow) shadows.push({ ...record, verdict: verdictOf(policy.allowed, allowed) });
    else policies.push(record);
  }
  const key = asked === undefined ? undefined : keys.of(asked.stateKey);
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
    cost: asked?.cost,
    remaining: binding?.remaining,
    resetMs: binding?.resetMs,
    waitMs: finite(decision.retryAfterMs),
    delayMs: decision.delayMs,
    keyKind: key?.keyKind,
    keyHash: key?.keyHash,
    nearLimit: decision.policies.some((policy) => !policy.shadow && isNear(policy, nearLimit)),
    policies,
    shadows,
  };
}

function policyRecord(policy: PolicyDecision, check: Check, keys: KeyDigest): PolicyRecord {
  return {
    policy: policy.name,
    algorithm: policy.algorithm,
    ...keys.of(check.stateKey),
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
