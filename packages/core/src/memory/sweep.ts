import { AsyncResource } from "node:async_hooks";

/** Ms between two slices, as a rule, and while many states turn out to be stale. */
const PERIOD_MS = 1_000;
const BUSY_PERIOD_MS = 20;

/** What one slice may do: a millisecond's work at the most. */
export const SLICE = { looks: 16_384, removals: 4_096 } as const;

/** A slice that removed so many is followed by another soon. */
const MANY = 256;

/**
 * Runs slices of house-keeping in the background while there is something to keep, so that a store that
 * nobody asks anything empties itself. Correctness never waits for it.
 */
export class Sweep {
  /** Timers keep the context they are made in; made here, they keep none of a request's. */
  readonly #context = new AsyncResource("AforoSweep");
  readonly #slice: () => number;
  readonly #isEmpty: () => boolean;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param slice - answers how many states it removed. */
  constructor(slice: () => number, isEmpty: () => boolean) {
    this.#slice = slice;
    this.#isEmpty = isEmpty;
  }

  /** Whether a timer is set. */
  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(): void {
    if (this.#timer === undefined && !this.#closed) this.#context.runInAsyncScope(() => this.#wait(PERIOD_MS));
  }

  /** For good. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#run(), ms);
    this.#timer.unref();
  }

  #run(): void {
    const removed = this.#slice();
    if (this.#isEmpty()) this.#timer = undefined;
    else this.#wait(removed >= MANY ? BUSY_PERIOD_MS : PERIOD_MS);
  }
}
