import type { Sleep } from "../../src/index.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** 2023-11-14T00:00:00Z */
export const EPOCH = 1_699_920_000_000;

/** A clock that stands still until everybody sleeps, and then jumps to the first who wakes. */
export class VirtualTime {
  readonly #sleepers = new Set<Sleeper>();
  #now: number = EPOCH;

  readonly clock = (): number => this.#now;

  readonly sleep: Sleep = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason as Error);
      };
      const sleeper: Sleeper = {
        at: this.#now + ms,
        wake: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#sleepers.add(sleeper);
    });

  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    const state = { pending: true };
    const done = (): void => {
      state.pending = false;
    };
    work.then(done, done);
    let idleTurns = 0;
    while (state.pending) {
      await settle();
      if (!state.pending) break;
      if (this.#wakeFirst(Infinity)) idleTurns = 0;
      else idleTurns += 1;
      // Somebody waits for a real timer or socket.
      if (idleTurns > 20) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return work;
  }

  /** Lets so much time pass. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    do await settle();
    while (this.#wakeFirst(end));
    this.#now = end;
    await settle();
  }

  /** Wakes the first of them, and whoever sleeps until the same instant. */
  #wakeFirst(end: number): boolean {
    let first: Sleeper | undefined;
    for (const sleeper of this.#sleepers) if (first === undefined || sleeper.at < first.at) first = sleeper;
    if (first === undefined || first.at > end) return false;
    this.#now = Math.max(this.#now, first.at);
    for (const sleeper of this.#sleepers) {
      if (sleeper.at > first.at) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
    return true;
  }
}

/** Everything that is ready to run has run. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
