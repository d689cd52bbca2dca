/** How many retries a client may add to its requests. */
export interface RetryBudgetOptions {
  /** Retries allowed per request, 0 to 1. @defaultValue `0.2` */
  readonly share?: number;
  /** Retries a minute that are allowed besides, so that clients with few requests can retry at all; 0 to 1,000,000. @defaultValue `10` */
  readonly perMinute?: number;
}

/**
 * Keeps retries a share of the requests, so that an outage is not multiplied by those who wait for its end.
 *
 * A bucket of retries: each request adds `share`, time adds `perMinute`, each retry takes one. It starts full and holds
 * what a minute adds and ten more, lest an hour of quiet traffic pay for a storm.
 */
export class RetryBudget {
  readonly #share: number;
  readonly #perMs: number;
  readonly #capacity: number;
  readonly #now: () => number;
  #retries: number;
  #at: number;

  constructor(options: Required<RetryBudgetOptions>, now: () => number) {
    this.#share = options.share;
    this.#perMs = options.perMinute / 60_000;
    this.#capacity = options.perMinute + (options.share > 0 ? 10 : 0);
    this.#now = now;
    this.#retries = options.perMinute;
    this.#at = now();
  }

  /** A first attempt was made. */
  earn(): void {
    this.#add(this.#share);
  }

  /** Takes a retry out of the budget; false when there is none. */
  spend(): boolean {
    const now = this.#now();
    this.#add((now - this.#at) * this.#perMs);
    this.#at = now;
    // Shares such as 0.1 are no exact fractions: ten of them must make one.
    if (this.#retries < 1 - 1e-9) return false;
    this.#retries -= 1;
    return true;
  }

  #add(retries: number): void {
    this.#retries = Math.min(this.#retries + retries, this.#capacity);
  }
}
