import type { Quota } from "../headers/quota.ts";

/** Moments in headers are whole seconds: what differs by no more may be the same. */
const ROUNDING_MS = 1000;
/** A window so short that whole seconds cannot tell whether it gives its units at once or one by one. */
const SHORT_WINDOW_MS = 5000;

/** What is known of a policy's quota, and carried on in time between answers. */
export class QuotaEstimate {
  #limit = 1;
  #remaining = 1;
  #stated: number | undefined;
  #takenAt = 0;
  #resetAt = 0;
  #windowMs = 1000;
  /** Whether units come back before the stated reset (buckets, sliding windows); a fixed window gives all at once. */
  #refills = false;
  #outstanding = 0;
  #era = 0;

  /** Requests under way that were sent in the current window. */
  get outstanding(): number {
    return this.#outstanding;
  }

  get windowMs(): number {
    return this.#windowMs;
  }

  /** The time that one unit takes when the quota is used evenly. */
  get unitMs(): number {
    return this.#windowMs / this.#limit;
  }

  /** The share of the quota that is left. */
  get share(): number {
    return this.#remaining / this.#limit;
  }

  /** The same, once the requests under way are served; everything while nothing is known. */
  get freeShare(): number {
    return this.#stated === undefined ? 1 : (this.#remaining - this.#outstanding) / this.#limit;
  }

  /**
   * The share that ought to be left now for the quota to last: none where units come back one by one, else that of the
   * window which is left.
   */
  get expectedShare(): number {
    return this.#refills ? 0 : Math.min(0.5, (this.#resetAt - this.#takenAt) / this.#windowMs);
  }

  /** A request goes; hand the result to {@link settled}. */
  sent(): number {
    this.#outstanding += 1;
    return this.#era;
  }

  settled(era: number): void {
    if (era === this.#era) this.#outstanding -= 1;
  }

  /** Takes over what an answer says. False when a later answer has said more already. */
  learn(quota: Quota, sentAt: number, now: number): boolean {
    if (sentAt < this.#takenAt && now < this.#resetAt) {
      // Answers that crossed: which of them is newer cannot be told, the lower one is safe.
      this.#remaining = Math.min(this.#remaining, quota.remaining);
      this.#stated = Math.min(this.#stated ?? quota.remaining, quota.remaining);
      return false;
    }
    const resetMs = quota.resetMs ?? quota.windowMs ?? this.#windowMs;
    if (this.#showsRefill(quota, resetMs, now)) this.#refills = true;
    this.#limit = Math.max(1, quota.limit ?? Math.max(this.#limit, quota.remaining));
    this.#windowMs = Math.max(1, quota.windowMs ?? Math.max(this.#windowMs, resetMs));
    this.#remaining = quota.remaining;
    this.#stated = quota.remaining;
    this.#takenAt = now;
    this.#resetAt = now + Math.min(resetMs, this.#windowMs);
    return true;
  }

  /** A 429: nothing is left for so long. */
  refused(waitMs: number, now: number): void {
    const lastsToReset = now + waitMs + ROUNDING_MS >= this.#resetAt;
    if (this.#windowMs <= SHORT_WINDOW_MS) this.#refills = true;
    else if (lastsToReset) this.#refills = false;
    this.#remaining = 0;
    this.#takenAt = now;
    this.#resetAt = Math.max(this.#resetAt, now + waitMs);
  }

  /** The earliest time at which a unit should be there. */
  unitAt(now: number): number {
    this.#startWindow(now);
    const refilled = this.#refills
      ? (this.#limit - this.#remaining) * ((now - this.#takenAt) / (this.#resetAt - this.#takenAt))
      : 0;
    const missing = 1 - (Math.min(this.#limit, this.#remaining + refilled) - this.#outstanding);
    if (missing <= 0) return now;
    if (!this.#refills || this.#remaining >= this.#limit) return this.#resetAt;
    const msPerUnit = (this.#resetAt - this.#takenAt) / (this.#limit - this.#remaining);
    return Math.min(this.#resetAt, now + missing * msPerUnit);
  }

  /** Units that are back, or a reset that moves, well before the reset that was stated. */
  #showsRefill(quota: Quota, resetMs: number, now: number): boolean {
    const hasRisen = this.#stated !== undefined && quota.remaining >= this.#stated;
    // A short fixed window that has begun anew shows nearly all of its quota.
    if ((quota.windowMs ?? resetMs) <= SHORT_WINDOW_MS) return hasRisen && quota.remaining < (quota.limit ?? 0) / 2;
    if (now + ROUNDING_MS >= this.#resetAt) return false;
    return hasRisen || now + resetMs > this.#resetAt + ROUNDING_MS;
  }

  /** Past the stated reset the whole quota is there, until an answer says otherwise. */
  #startWindow(now: number): void {
    if (now < this.#resetAt) return;
    this.#era += 1;
    this.#outstanding = 0;
    this.#remaining = this.#limit;
    this.#takenAt = now;
    this.#resetAt = now + this.#windowMs;
  }
}
