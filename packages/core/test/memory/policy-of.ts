import { checkPolicy, type Policy } from "../../src/domain/policy.ts";
import type { PolicyDecision } from "../../src/domain/decision.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { Reply, Store } from "../../src/domain/store.ts";

/** A policy in numbers: 10 units a minute unless told otherwise. */
export function policyOf(options: Partial<Policy> = {}): ResolvedPolicy {
  return checkPolicy("limiter", { name: "policy", limit: 10, window: 60_000, ...options }, "policy")
    .fixed as ResolvedPolicy;
}

/** Asks a synchronous store about one policy. */
export function consume(
  store: Store<true>,
  policy: ResolvedPolicy,
  stateKey: string,
  cost: number = 1,
): PolicyDecision {
  return only(store.consume([{ policy, stateKey, cost }]));
}

export function peek(store: Store<true>, policy: ResolvedPolicy, stateKey: string): PolicyDecision {
  return only(store.peek([{ policy, stateKey, cost: 0 }]));
}

function only({ policies }: Reply): PolicyDecision {
  return policies[0] as PolicyDecision;
}
