import type { Decision } from "../domain/decision.ts";
import type { MaybePromise } from "../domain/store.ts";

/** What handlers find as `req.rateLimit` or `ctx.state.rateLimit`: what the limiter that ran last made of this request. */
export interface RequestHandle {
  /** The limiter's name. */
  readonly limiter: string;
  /** The latest decision; `undefined` when the request was skipped or is not decided yet. */
  readonly decision: Decision | undefined;
  /** Never counted: `skip`, an allow list, an exempt preflight. */
  readonly skipped: boolean;
  /** The dearest cost class met, when there are classes. */
  readonly class: string | undefined;
  /** Capacity of the binding policy; `undefined` where nobody counted. */
  readonly limit: number | undefined;
  /** Whole units of the binding policy that are admissible right now. */
  readonly remaining: number | undefined;
  /** Ms until the binding policy's whole capacity is available. */
  readonly resetMs: number | undefined;
  /** 0 when allowed, `Infinity` for never. */
  readonly retryAfterMs: number;
  /**
   * Takes a cost known late (rows, bytes, model tokens) on top of what the request was charged, whatever the
   * limit, from every policy that decided it. Nothing when the request was skipped.
   * @param cost - whole units >= 0; anything else is an event and charges nothing.
   */
  charge(cost: number): MaybePromise<void>;
  /** Why it was decided so, in plain sentences. */
  explain(): string;
  /** What another limiter made of the same request. */
  of(limiter: string): RequestHandle | undefined;
}
