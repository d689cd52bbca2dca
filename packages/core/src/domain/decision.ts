import type { AlgorithmName } from "./algorithm-name.ts";
import type { ResolvedPolicy } from "./resolved-policy.ts";

/** Why a decision came out as it did; the first that applies. */
export type Reason = "admitted" | "blocked" | "cost-above-limit" | "quota" | "store-unavailable";

/** Who decided: the store, its cache of denials, this process in the store's place, or nobody. */
export type Source = "store" | "deny-cache" | "local" | "fail-open" | "fail-closed";

/** What one policy says of one request. In a denial each policy reports itself as if asked alone. */
export interface PolicyDecision {
  readonly name: string;
  readonly algorithm: AlgorithmName;
  /** Units per window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  /** Most units at one instant: the limit for window algorithms, the burst for buckets. */
  readonly capacity: number;
  /** Units asked for; charged when the whole request was admitted. */
  readonly cost: number;
  /** Whether this policy alone would admit. */
  readonly allowed: boolean;
  /** Whole units admissible right now, never negative. */
  readonly remaining: number;
  /** Least wait in ms after which, with no other traffic, the whole capacity is available. */
  readonly resetMs: number;
  /** Least wait in ms after which the same cost would be admitted; 0 when allowed, `Infinity` for never. */
  readonly retryAfterMs: number;
  /** leaky-bucket: ms to wait before going on; else 0. */
  readonly delayMs: number;
  /** Decides and reports only; never part of the answer. */
  readonly shadow: boolean;
  /** Ms until a block set by `limiter.block` ends; 0 when not blocked. */
  readonly blockedMs: number;
  /** What the store needs to give this charge back; `undefined` when nothing was charged. */
  readonly receipt: Receipt | undefined;
}

/** Opaque and serialisable as JSON: what a store needs to find a charge again. */
export type Receipt = number | string;

/** What a store measured for one check; {@link policyDecision} adds the policy's own numbers. */
export type Measured = Pick<
  PolicyDecision,
  "allowed" | "remaining" | "resetMs" | "retryAfterMs" | "delayMs" | "blockedMs" | "receipt"
>;

/** Builds a {@link PolicyDecision}; for writers of stores. */
export function policyDecision(policy: ResolvedPolicy, cost: number, measured: Measured): PolicyDecision {
  const { allowed, remaining, resetMs, retryAfterMs, delayMs, blockedMs, receipt } = measured;
  return policyDecisionOf(policy, cost, allowed, remaining, resetMs, retryAfterMs, delayMs, blockedMs, receipt);
}

/** The same without an object in between, which is felt where a decision takes a fraction of a microsecond. */
export function policyDecisionOf(
  policy: ResolvedPolicy,
  cost: number,
  allowed: boolean,
  remaining: number,
  resetMs: number,
  retryAfterMs: number,
  delayMs: number,
  blockedMs: number,
  receipt: Receipt | undefined,
): PolicyDecision {
  return {
    name: policy.name,
    algorithm: policy.algorithm,
    limit: policy.limit,
    window: policy.window,
    capacity: policy.capacity,
    cost,
    allowed,
    remaining,
    resetMs,
    retryAfterMs,
    delayMs,
    shadow: policy.shadow,
    blockedMs,
    receipt,
  };
}

/** The answer to one request. */
export interface Decision {
  readonly allowed: boolean;
  /** The first that applies. */
  readonly reason: Reason;
  /** The store's time, epoch ms. */
  readonly at: number;
  /** leaky-bucket: wait this many ms before going on; the longest of all policies. */
  readonly delayMs: number;
  /** 0 when allowed, `Infinity` for never; the longest of the denying policies. */
  readonly retryAfterMs: number;
  /** In the order of the limiter's policies; empty when the store failed and nobody counted. */
  readonly policies: readonly PolicyDecision[];
  /**
   * The one that headers describe: longest wait when denied, else the smallest remaining/capacity
   * (0/0 counts as 0), ties by order; never a shadow. `undefined` when no enforced policy was counted.
   */
  readonly binding: PolicyDecision | undefined;
  readonly source: Source;
  /** Charged in several cluster slots, and given back where another slot denied. */
  readonly compensated: boolean;
  /** One or two plain sentences that a support engineer can forward. */
  explain(): string;
}
