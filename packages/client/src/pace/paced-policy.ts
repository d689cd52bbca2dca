import type { Quota } from "../headers/quota.ts";
import { QuotaEstimate } from "./quota-estimate.ts";
import { SendInterval } from "./send-interval.ts";

/** Decides when the next request under one policy may go. Times are milliseconds of one clock. */
export class PacedPolicy {
  readonly #quota = new QuotaEstimate();
  readonly #interval: SendInterval;
  readonly #maxDelayMs: number;

  constructor(random: () => number, maxDelayMs: number) {
    this.#interval = new SendInterval(random);
    this.#maxDelayMs = maxDelayMs;
  }

  get isIdle(): boolean {
    return this.#quota.outstanding === 0;
  }

  /** The earliest time for the next request; `Infinity` when only an answer that is under way can tell. */
  readyAt(now: number): number {
    const at = Math.max(now, this.#quota.unitAt(now), this.#interval.readyAt);
    if (at - now <= this.#maxDelayMs) return at;
    // Longer than any call may wait, so waiting cannot help: one request at a time asks the server itself.
    return this.#quota.outstanding > 0 ? Infinity : now;
  }

  /** A request goes. Hand the result to {@link settled}. */
  sent(now: number): number {
    const era = this.#quota.sent();
    this.#interval.sent(now, this.#quota.freeShare, this.#quota.unitMs, this.#quota.windowMs);
    return era;
  }

  settled(era: number): void {
    this.#quota.settled(era);
  }

  /** An answer states this policy's quota. */
  learn(quota: Quota, sentAt: number, now: number, refused: boolean): void {
    const isNews = this.#quota.learn(quota, sentAt, now);
    if (isNews && !refused) this.#interval.admitted(this.#quota.share, this.#quota.expectedShare, this.#quota.unitMs);
  }

  /** A 429 that this policy is the likely cause of. */
  refused(waitMs: number, now: number): void {
    this.#interval.refused(waitMs, this.#quota.unitMs, now);
    this.#quota.refused(waitMs, now);
  }
}
