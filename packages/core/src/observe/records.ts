import type { AlgorithmName } from "../domain/algorithm-name.ts";
import type { Reason, Source } from "../domain/decision.ts";

/** Whose quota it was, without saying who that is. */
export interface KeyRecord {
  /** The kind of identity: `"ip"`, `"user"`, `"api"`, `"header"`, `"route"`, `"all"`, `"custom"`; `"text"` for any other key. */
  readonly keyKind: string;
  /** 16 hexadecimal digits: the key under the limiter's secret, cut short. The same key gives the same digits. */
  readonly keyHash: string;
}

/** What one policy said. */
export interface PolicyRecord extends KeyRecord {
  readonly policy: string;
  readonly algorithm: AlgorithmName;
  /** Units per window. */
  readonly limit: number;
  /** Ms. */
  readonly window: number;
  readonly capacity: number;
  readonly cost: number;
  /** Whether it alone would admit. */
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
  /** Ms until the same cost would be admitted; 0 when allowed, `null` for never. */
  readonly waitMs: number | null;
}

/**
 * A shadow policy beside the live decision: `would-deny` what is admitted, `would-allow` what is denied, or `agree`.
 * It is judged by itself: `would-allow` says that this policy alone would have admitted.
 */
export type Verdict = "agree" | "would-deny" | "would-allow";

/** What a shadow or candidate policy would have done. */
export interface ShadowRecord extends PolicyRecord {
  readonly verdict: Verdict;
}

/**
 * One decision as plain values, ready for a logger. Never a key or credential. What belongs to one policy is that of the
 * binding one: the longest wait when denied, else the smallest share left; absent where nobody counted.
 */
export interface DecisionRecord {
  /** The store's time, epoch ms. */
  readonly at: number;
  readonly limiter: string;
  /** The cost class, where the limiter has classes. */
  readonly class: string | undefined;
  readonly decision: "admitted" | "denied";
  readonly reason: Reason;
  /** Who decided. */
  readonly source: Source;
  /** It replaced an earlier decision of the same request. */
  readonly raised: boolean;
  /** Whether the limiter goes past its store at the moment, since that keeps failing. */
  readonly storeDown: boolean;
  /** Ms that the store took, with fractions; `undefined` where it was not asked. */
  readonly storeMs: number | undefined;
  readonly policy: string | undefined;
  readonly algorithm: AlgorithmName | undefined;
  readonly limit: number | undefined;
  readonly window: number | undefined;
  readonly capacity: number | undefined;
  readonly cost: number | undefined;
  readonly remaining: number | undefined;
  readonly resetMs: number | undefined;
  /** Ms to wait before the same request would be admitted; 0 when admitted, `null` for never. */
  readonly waitMs: number | null;
  /** leaky-bucket: ms that the request is held back. */
  readonly delayMs: number;
  readonly keyKind: string | undefined;
  readonly keyHash: string | undefined;
  /** Whether what is used reaches the limiter's `nearLimit` share of the capacity. */
  readonly nearLimit: boolean;
  /** Every enforced policy that was asked. */
  readonly policies: readonly PolicyRecord[];
  /** Every shadow that was asked. */
  readonly shadows: readonly ShadowRecord[];
  /** On completion: the status of the response; `undefined` when the client left before there was one. */
  readonly status?: number | undefined;
  /** On completion: the connection closed before the response was complete. */
  readonly aborted?: boolean;
}

/** What became of one call of a store. */
export interface StoreCallMessage {
  readonly type: "call";
  readonly limiter: string;
  /** The store's kind, such as `"redis"`. */
  readonly store: string;
  readonly verb: StoreVerb;
  /** Ms, with fractions. */
  readonly durationMs: number;
  /** `"deny-cache"` when the store answered from its memory of denials. */
  readonly source: "store" | "deny-cache";
  /** The code (else the name) of what the call failed with; `undefined` when it did not. */
  readonly error: string | undefined;
}

/** What a store was asked to do; `inspect` looks at the numbers for an explanation. */
export type StoreVerb = "consume" | "raise" | "peek" | "charge" | "refund" | "reset" | "block" | "inspect";

/** The breaker opened (`down`), or a probe closed it again (`up`). */
export interface StoreStateMessage {
  readonly type: "down" | "up";
  readonly limiter: string;
  readonly store: string;
  readonly error: string | undefined;
}

/** A key was blocked, freed, reset or charged by hand. */
export interface PenaltyMessage {
  readonly type: "block" | "reset" | "charge";
  readonly limiter: string;
  readonly store: string;
  /** One for each policy that it concerns. */
  readonly keys: readonly ({ readonly policy: string } & KeyRecord)[];
  /** `block`: ms from now; 0 lifts. */
  readonly ms?: number;
  /** `charge`: the highest cost of any policy, in units. */
  readonly cost?: number;
}

/** What is published on the channel `aforo:store`. */
export type StoreMessage = StoreCallMessage | StoreStateMessage | PenaltyMessage;
