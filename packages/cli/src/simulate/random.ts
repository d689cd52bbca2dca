import { MersenneTwister19937 } from "random-js";

/** Numbers that look random and are the same for the same seed, on every machine. */
export class Random {
  readonly #engine: MersenneTwister19937;

  /**
   * @param seed - whole numbers; one alone gives the very sequence of Python's `random.seed`, so published experiments
   * can be run again.
   */
  constructor(...seed: readonly number[]) {
    this.#engine = MersenneTwister19937.seedWithArray([...seed]);
  }

  /** From 0 up to but not including 1, with 53 bits. */
  next(): number {
    const high = this.#engine.next() >>> 5;
    const low = this.#engine.next() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** The time until the next of events that come at random, at `rate` in each unit of time. */
  gap(rate: number): number {
    return -Math.log(1 - this.next()) / rate;
  }
}
