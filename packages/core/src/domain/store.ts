import type { PolicyDecision, Receipt } from "./decision.ts";
import type { ResolvedPolicy } from "./resolved-policy.ts";

/** One policy asked about one key. */
export interface Check {
  readonly policy: ResolvedPolicy;
  /**
   * Names the state within `policy.space`; any text of at most 256 UTF-16 units. A store that is
   * shared by several policies keys by `policy.space + stateKey`.
   */
  readonly stateKey: string;
  /** Whole units, 0 to 2^31. */
  readonly cost: number;
}

/** A check whose earlier charge, if any, is given back first. */
export interface RaiseCheck extends Check {
  /** What stands charged and is not yet given back; `undefined` decides as `consume` does. */
  readonly earlier: Charge | undefined;
}

/** What a decision charged to one state. */
export interface Charge {
  /** Whole units, at least 1. */
  readonly cost: number;
  /** As the store gave it. */
  readonly receipt: Receipt;
}

/** Gives units of one charge back. */
export interface Refund {
  readonly policy: ResolvedPolicy;
  readonly stateKey: string;
  /** Whole units to give back, at most what that charge still holds. */
  readonly cost: number;
  readonly receipt: Receipt;
}

/** What a store answers to `consume`, `raise`, `peek` and `charge`. */
export interface Reply {
  /** The store's time, whole epoch ms. */
  readonly at: number;
  /** Whether every enforced policy admitted; then, and only then, all of them were charged. */
  readonly allowed: boolean;
  /** One for each check, in order. */
  readonly policies: readonly PolicyDecision[];
  /** `"deny-cache"` when a remembered denial answered without a call. */
  readonly source: "store" | "deny-cache";
  /** Set when charges were given back because another cluster slot denied. */
  readonly compensated?: boolean;
}

/** Travels with every call. */
export interface CallOptions {
  /** `performance.now()` after which nobody waits for the answer; a store must not send after it. */
  readonly deadline: number;
}

/** Is told how a call ended, once, in the place of a promise. */
export interface Answering<T> extends CallOptions {
  settle(value: T): void;
  fail(error: unknown): void;
}

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Keeps the state of every key and applies costs to it atomically. One call decides one request.
 *
 * What every store promises (the exported contract suite checks it):
 * - all enforced checks of a call are charged, or none is; a shadow check is charged exactly when it alone admits;
 * - a denial, a peek and a cost of 0 write nothing;
 * - the numbers are those of the pure algorithms, to the millisecond;
 * - argument errors throw, failures of the store reject with a {@link StoreError}.
 *
 * @typeParam S - `true` when every verb returns a plain value.
 */
export interface Store<S extends boolean = boolean> {
  /** Whether verbs return plain values; then nothing is awaited. */
  readonly sync: S;
  /** Identifies the kind in events and errors, such as `"memory"` or `"redis"`. */
  readonly kind: string;
  /** What two stores have in common when they share their states, such as the client; default the store itself. */
  readonly identity?: object;
  consume(checks: readonly Check[], options?: CallOptions): Answer<S, Reply>;
  /**
   * As {@link consume}, without a promise: for a store that decides many requests at once, each of which would cost
   * less than its promise. Optional; may answer before it returns. Not used while somebody listens to decisions, since
   * only a promise keeps the asynchronous context of a request.
   */
  consumeInto?(checks: readonly Check[], to: Answering<Reply>): void;
  /**
   * What is certain to be answered without asking, such as a denial that still holds; `undefined` where it has to be asked.
   * Optional; tried before {@link consume} where that would promise. Says nothing of whether the store is well.
   */
  remembered?(checks: readonly Check[]): Reply | undefined;
  /** Gives the earlier charges back, then decides all checks anew, in one step. */
  raise(checks: readonly RaiseCheck[], options?: CallOptions): Answer<S, Reply>;
  /** Reports for cost 0; writes nothing. */
  peek(checks: readonly Check[], options?: CallOptions): Answer<S, Reply>;
  /** Takes the cost whatever the limit; answers as `peek` does. */
  charge(checks: readonly Check[], options?: CallOptions): Answer<S, Reply>;
  /** Never creates a state, moves a mark or extends a life. */
  refund(refunds: readonly Refund[], options?: CallOptions): Answer<S, void>;
  /** Forgets these states, blocks included. */
  reset(checks: readonly Check[], options?: CallOptions): Answer<S, void>;
  /** Denies these states for `ms` from now whatever the quota, without touching what is used; 0 lifts a block. */
  block(checks: readonly Check[], ms: number, options?: CallOptions): Answer<S, void>;
  /** The numbers behind a peek, for explanations; `undefined` for an absent state. */
  inspect(checks: readonly Check[], options?: CallOptions): Answer<S, readonly (StateView | undefined)[]>;
  /** Frees what the store itself opened; idempotent. */
  close(): MaybePromise<void>;
}

/** `T` at once or as a promise, by the store's kind. */
export type Answer<S extends boolean, T> = S extends true ? T : Promise<T>;

/** A store whose verbs return plain values. */
export type SyncStore = Store<true>;

/** A store whose verbs return promises. */
export type AsyncStore = Store<false>;

/** One state in plain numbers, whatever the store; the fields that its algorithm has. */
export interface StateView {
  /** Units that count right now, possibly a fraction for buckets, and more than the capacity in debt. */
  readonly used: number;
  /** Counter: units of the window before, unweighted. */
  readonly previous?: number;
  /** Window algorithms: units of the current window. */
  readonly current?: number;
  /** Windows: start of the current window; log: time of the newest entry; buckets: time of the last charge. */
  readonly mark: number;
  /** Log: how many entries count. */
  readonly entries?: number;
  /** Epoch ms until which the key is blocked; 0 when it is not. */
  readonly blockedUntil: number;
}
