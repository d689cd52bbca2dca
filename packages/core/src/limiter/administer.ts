import type { Check, MaybePromise, Store } from "../domain/store.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import type { EngineParts } from "./parts.ts";
import { asksOf, stateKeyOf } from "./keys.ts";
import type { Keys } from "./limiter.ts";

/** Resets or blocks a key in the store and in what stands in for it; fails when the store does. */
export function administer<C>(
  parts: EngineParts<C>,
  keys: Keys,
  verb: (store: Store, checks: readonly Check[]) => MaybePromise<void>,
): MaybePromise<void> {
  const { access, policies, store } = parts;
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
    (target) => verb(target, checks),
    () => undefined,
    (error) => {
      throw error;
    },
    undefined,
  );
}
