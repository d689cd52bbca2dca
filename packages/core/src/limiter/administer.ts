import type { Check, MaybePromise, Store } from "../domain/store.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import { penalized } from "../observe/store-messages.ts";
import type { EngineParts } from "./parts.ts";
import { asksOf, stateKeyOf } from "./keys.ts";
import type { Keys } from "./limiter.ts";

/** What is done to a key, and by which verb of a store. */
export interface Administration {
  readonly type: "reset" | "block";
  /** `block`: for how long. */
  readonly ms?: number;
  readonly verb: (store: Store, checks: readonly Check[]) => MaybePromise<void>;
}

/** Resets or blocks a key in the store and in what stands in for it; fails when the store does. */
export function administer<C>(
  parts: EngineParts<C>,
  keys: Keys,
  { type, ms, verb }: Administration,
): MaybePromise<void> {
  const { access, name, observer, policies, store } = parts;
  // A limit function may have given several windows; each has a state of its own.
  const checks = asksOf(policies, keys, 0).flatMap(({ policy, key }): Check[] => {
    const stateKey = stateKeyOf(key);
    return (policies[policy] as CheckedPolicy<C>).known().map((numbers) => ({ policy: numbers, stateKey, cost: 0 }));
  });
  const local = store.sync ? undefined : access.local();
  if (local !== undefined) {
    const localChecks = checks.map((check) => access.localCheck(check));
    void verb(local, localChecks);
  }
  return access.call(
    type,
    (target) => verb(target, checks),
    () => penalized({ limiter: name, store: store.kind }, type, checks, observer.keys, ms),
    (error) => {
      throw error;
    },
    undefined,
  );
}
