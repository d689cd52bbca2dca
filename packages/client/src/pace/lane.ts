import type { PacedPolicy } from "./paced-policy.ts";

/** A call that waits for its turn. */
export interface Waiter {
  /** Order of arrival; a retry keeps the place of its call. */
  readonly ticket: number;
  readonly go: () => void;
}

/** The calls of one route: those who wait, first come first served, and the policies that the route has shown. */
export class Lane {
  readonly #retries = new Set<Waiter>();
  readonly #calls = new Set<Waiter>();
  /** `undefined` until the route's first answer. */
  policies: readonly PacedPolicy[] | undefined;

  get head(): Waiter | undefined {
    // Retried calls came before those that were never sent, and only one of the sets is used at a time.
    for (const waiter of this.#retries) return waiter;
    for (const waiter of this.#calls) return waiter;
    return undefined;
  }

  add(waiter: Waiter, isRetry: boolean): void {
    (isRetry ? this.#retries : this.#calls).add(waiter);
  }

  remove(waiter: Waiter): void {
    if (!this.#retries.delete(waiter)) this.#calls.delete(waiter);
  }
}
