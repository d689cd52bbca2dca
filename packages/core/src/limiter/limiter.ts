import type { Decision, PolicyDecision } from "../domain/decision.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import type { Answer, MaybePromise, Store } from "../domain/store.ts";

/**
 * Whom to count: one key for all policies, or one for each. Any text but `""`; a text of more than
 * 128 UTF-16 units counts by its SHA-256. `null` says that a policy does not apply; leaving one out is an error.
 */
export type Keys = string | { readonly [policy: string]: string | null };

/** Whole units from 0 to 2^31: one cost for all policies, or one for each (left out: 1). */
export type Costs = number | { readonly [policy: string]: number };

/** One policy asked about one key: what adapters give, who choose policies, keys and costs by request. */
export interface Ask {
  /** Index into {@link Limiter.policies}. */
  readonly policy: number;
  readonly key: string;
  readonly cost: number;
}

/** What every policy says of a key, without a request. */
export interface Peek {
  /** The store's time, epoch ms. */
  readonly at: number;
  readonly policies: readonly PolicyDecision[];
}

/**
 * Decides how much each key may take. Knows no framework.
 *
 * A key that is no text throws at once, whatever the store. A bad cost (negative, fractional, `NaN`,
 * above 2^31, not a number) is an event and follows `onStoreError`, since it comes from data. What the store
 * cannot decide, `onStoreError` does: no verb rejects for a failing store, except `reset` and `block`.
 *
 * @typeParam S - `true` when verbs return plain values (memory store), `false` when promises.
 * @typeParam C - what limit functions are given.
 */
export interface Limiter<S extends boolean = boolean, C = unknown> {
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly store: Store<S>;
  /**
   * Decides, and charges every enforced policy, or none.
   * @param cost - default 1.
   * @param className - shown in records.
   */
  consume(keys: Keys, cost?: Costs, context?: C, className?: string): Answer<S, Decision>;
  /**
   * As {@link consume}, for chosen policies.
   * @param patienceMs - how long to wait for the store, from when it is asked; what several limiters of one request share.
   * Default the limiter's own.
   * @param className - as for {@link consume}.
   */
  consumeEach(asks: readonly Ask[], context?: C, patienceMs?: number, className?: string): Answer<S, Decision>;
  /**
   * Replaces a decision's charge by `cost`, at least as large per policy: gives back the earlier one, then
   * decides anew in one step. When denied, the earlier charge stays given back.
   */
  raise(decision: Decision, cost: Costs, context?: C): Answer<S, Decision>;
  /** As {@link raise}, for chosen policies; those that the earlier decision did not ask are asked anew, others keep their charge. */
  raiseEach(
    decision: Decision,
    asks: readonly Ask[],
    context?: C,
    patienceMs?: number,
    className?: string,
  ): Answer<S, Decision>;
  /** Looks; writes nothing. */
  peek(keys: Keys, context?: C): Answer<S, Peek>;
  /** Takes the cost whatever the limit, when it is known only afterwards; answers as {@link peek} does. */
  charge(keys: Keys, cost: Costs, context?: C): Answer<S, Peek>;
  /**
   * Gives back all or part of what that decision charged; cumulatively at most that.
   * @param cost - default everything that is left.
   * @param context - asks limit functions anew; left out, the limits of the decision hold.
   */
  refund(decision: Decision, cost?: Costs, context?: C): Answer<S, void>;
  /** Makes `cost` what that decision's request cost in the end: refunds or charges the difference, per policy. */
  settle(decision: Decision, cost: Costs): Answer<S, void>;
  /** Forgets what is used and lifts blocks. Rejects when the store fails. */
  reset(keys: Keys): Answer<S, void>;
  /** Denies the key for `ms`, whatever its quota; 0 lifts. Rejects when the store fails. @param ms - whole, 0 to 2^41 */
  block(keys: Keys, ms: number): Answer<S, void>;
  /** Plain sentences with the numbers behind each policy of a key. */
  explain(keys: Keys, context?: C): Answer<S, string>;
  /** Stops timers and background probes; later decisions follow `onStoreError`. Leaves a given store's client open. Idempotent. */
  close(): MaybePromise<void>;
}
