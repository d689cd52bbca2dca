import { randomUUID } from "node:crypto";
import type { Clock } from "../../src/domain/clock.ts";
import { checkPolicy } from "../../src/domain/policy.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { Charge, Check, MaybePromise, RaiseCheck, Refund, Reply, Store } from "../../src/domain/store.ts";
import { describeReplay, type DecisionAnswer, type Subject } from "./replay.ts";
import type { VectorPolicy } from "./vector.ts";

/** A reply and what of it is still charged, by policy. */
interface StoreDecision extends DecisionAnswer {
  readonly charges: (Charge | undefined)[];
}

/** Registers the replay of all vectors at the level of the store interface. */
export function describeVectors(name: string, createStore: (clock: Clock) => MaybePromise<Store>): void {
  describeReplay(name, async (policies, clock) => storeSubject(await createStore(clock), policies));
}

function storeSubject(store: Store, vectorPolicies: readonly VectorPolicy[]): Subject<StoreDecision> {
  const stateKey = randomUUID();
  let policies = resolve(vectorPolicies);
  const checks = (costs?: readonly number[]): Check[] =>
    policies.map((policy, i) => ({ policy, stateKey, cost: costs?.[i] ?? 0 }));

  return {
    consume: async (costs) => decisionOf(await store.consume(checks(costs))),
    async raise({ charges }, costs) {
      const raised: RaiseCheck[] = checks(costs).map((check, i) => ({ ...check, earlier: charges[i] }));
      charges.fill(undefined);
      return decisionOf(await store.raise(raised));
    },
    async refund({ charges }, costs) {
      const refunds = checks(costs).flatMap((check, i): Refund[] => {
        const charge = charges[i];
        if (charge === undefined || check.cost === 0) return [];
        // Asked for counts as given back, even where the store finds nothing left to take it from.
        const cost = Math.min(check.cost, charge.cost);
        charges[i] = cost < charge.cost ? { ...charge, cost: charge.cost - cost } : undefined;
        return [{ policy: check.policy, stateKey, cost, receipt: charge.receipt }];
      });
      if (refunds.length > 0) await store.refund(refunds);
    },
    charge: (costs) => store.charge(checks(costs)),
    peek: () => store.peek(checks()),
    reset: () => store.reset(checks()),
    limits(limits) {
      policies = resolve(vectorPolicies.map((policy, i) => ({ ...policy, limit: limits[i] ?? policy.limit })));
    },
    close: () => store.close(),
  };
}

function resolve(policies: readonly VectorPolicy[]): ResolvedPolicy[] {
  return policies.map(
    (policy, i) => checkPolicy("vectors", { name: `p${i}`, ...policy }, `policies[${i}]`).fixed as ResolvedPolicy,
  );
}

/** What `Decision` makes of a reply. */
function decisionOf(reply: Reply): StoreDecision {
  const denying = reply.policies.filter(({ allowed, shadow }) => !allowed && !shadow);
  return {
    allowed: reply.allowed,
    retryAfterMs: Math.max(0, ...denying.map(({ retryAfterMs }) => retryAfterMs)),
    delayMs: Math.max(0, ...reply.policies.map(({ delayMs }) => delayMs)),
    policies: reply.policies,
    charges: reply.policies.map(({ cost, receipt }) => (receipt === undefined ? undefined : { cost, receipt })),
  };
}
