import type { DecisionRecord } from "@aforo/core";
import { HyperLogLog } from "./hyper-log-log.ts";

/** A window moves on by a fifth of itself. */
const SLICES = 5;

/** Distinct keys of one policy in one window. */
export interface KeyCount {
  readonly limiter: string;
  readonly policy: string;
  readonly keys: number;
}

interface Counted {
  readonly limiter: string;
  readonly policy: string;
  /** The slice that is being filled, and those before it that still count. */
  readonly slices: HyperLogLog[];
}

/** Counts the distinct keys that each policy was asked about lately, whatever their number, in 24 KB a policy. */
export class DistinctKeys {
  readonly #sliceMs: number;
  readonly #now: () => number;
  readonly #counted = new Map<string, Counted>();
  #slice: number;

  /** @param now - ms of any monotonic clock. */
  constructor(windowMs: number, now: () => number) {
    this.#sliceMs = windowMs / SLICES;
    this.#now = now;
    this.#slice = this.#currentSlice();
  }

  add({ limiter, policies }: DecisionRecord): void {
    this.#moveOn();
    for (const { policy, keyHash } of policies) this.#sliceOf(limiter, policy).add(keyHash);
  }

  /** The keys of the last window, and of up to a fifth of one before that. */
  counts(): KeyCount[] {
    this.#moveOn();
    return [...this.#counted.values()].map(({ limiter, policy, slices }) => {
      const all = new HyperLogLog();
      for (const slice of slices) all.merge(slice);
      return { limiter, policy, keys: all.estimate() };
    });
  }

  #sliceOf(limiter: string, policy: string): HyperLogLog {
    // Names hold no slash, so the two are injective as they are.
    const name = `${limiter}/${policy}`;
    let counted = this.#counted.get(name);
    if (counted === undefined) {
      counted = { limiter, policy, slices: Array.from({ length: SLICES + 1 }, () => new HyperLogLog()) };
      this.#counted.set(name, counted);
    }
    return counted.slices[this.#slice % (SLICES + 1)] as HyperLogLog;
  }

  #moveOn(): void {
    const current = this.#currentSlice();
    // After a full round nothing is left to forget.
    const from = Math.max(this.#slice + 1, current - SLICES);
    for (let slice = from; slice <= current; slice++) {
      for (const { slices } of this.#counted.values()) slices[slice % (SLICES + 1)]?.clear();
    }
    this.#slice = current;
  }

  #currentSlice(): number {
    return Math.floor(this.#now() / this.#sliceMs);
  }
}
