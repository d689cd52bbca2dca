import type { Decision } from "../../src/domain/decision.ts";
import type { Policy } from "../../src/domain/policy.ts";
import type { Store } from "../../src/domain/store.ts";
import { createLimiter } from "../../src/limiter/create-limiter.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { describeReplay, type Subject } from "../vectors/replay.ts";
import type { VectorPolicy } from "../vectors/vector.ts";

describeReplay("a limiter over a synchronous store", (policies, clock) =>
  limiterSubject(referenceStore(clock), policies),
);
describeReplay("a limiter over an asynchronous store", (policies, clock) =>
  limiterSubject(promisedStore(referenceStore(clock)), policies),
);

/** Limits come from functions, so that one limiter can follow a vector's changes of them. */
function limiterSubject(store: Store, vectorPolicies: readonly VectorPolicy[]): Subject<Decision> {
  let limits = vectorPolicies.map(({ limit }) => limit);
  const policies = vectorPolicies.map((policy, i): Policy => ({
    name: `p${i}`,
    ...policy,
    limit: () => limits[i] ?? 0,
  }));
  const limiter = createLimiter({ store, policies, storeTimeoutMs: 60_000 });
  const costsByName = (costs: readonly number[]) => Object.fromEntries(costs.map((cost, i) => [`p${i}`, cost]));
  const key = "a key";
  return {
    consume: (costs) => limiter.consume(key, costsByName(costs)),
    raise: (decision, costs) => limiter.raise(decision, costsByName(costs)),
    refund: (decision, costs) => limiter.refund(decision, costsByName(costs), {}),
    charge: (costs) => limiter.charge(key, costsByName(costs)),
    peek: () => limiter.peek(key),
    reset: () => limiter.reset(key),
    limits(next) {
      limits = [...next];
    },
    close: () => limiter.close(),
  };
}
