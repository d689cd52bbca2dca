import { randomUUID } from "node:crypto";
import { checkPolicy, type Policy } from "../../src/domain/policy.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { AsyncStore, Check, Reply } from "../../src/domain/store.ts";

/**
 * A policy whose states no other test touches; 10 a day by the default algorithm unless told otherwise: Redis's own
 * clock passes the edge of a minute in the middle of tests.
 */
export function policyOf(options: Partial<Policy> & { readonly limiter?: string } = {}): ResolvedPolicy {
  const { limiter = `test-${randomUUID()}`, ...policy } = options;
  return checkPolicy(limiter, { name: "p", limit: "10/day", ...policy }, "policy").fixed as ResolvedPolicy;
}

/** One check of one policy. */
export function check(policy: ResolvedPolicy, stateKey: string = "somebody", cost: number = 1): Check {
  return { policy, stateKey, cost };
}

/** Asks one policy about one key. */
export function consume(store: AsyncStore, policy: ResolvedPolicy, stateKey?: string, cost?: number): Promise<Reply> {
  return store.consume([check(policy, stateKey, cost)]);
}

/** What a single check has left. */
export async function remainingOf(store: AsyncStore, policy: ResolvedPolicy, stateKey?: string): Promise<number> {
  return (await store.peek([check(policy, stateKey, 0)])).policies[0]?.remaining as number;
}

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code: string }).code;
  }
  throw new Error("it did not reject");
}
