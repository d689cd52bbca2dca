import type { ResolvedPolicy } from "../domain/resolved-policy.ts";

/**
 * What one algorithm reads of one state at one moment. `read` fills it in place, so that a
 * decision allocates nothing; it is valid until the next `read`.
 */
export interface Reading {
  /** The store's time. */
  now: number;
  /** The time the state is read at: `max(now, mark)`, except for gcra, which reads `now` as it is. */
  time: number;
  /**
   * What counts against the capacity at `time`: whole units for the window algorithms, units of
   * 1/window for token and leaky bucket, of 1/reducedLimit ms for gcra. Debt may take it above.
   */
  used: number;
  /** Units in the current window (window algorithms). */
  current: number;
  /** Units in the window before, unweighted (sliding-window-counter). */
  previous: number;
  /** Start of the current window (fixed-window, sliding-window-counter). */
  start: number;
  /** Index of the first entry that counts (sliding-window-log). */
  first: number;
}

/**
 * One algorithm over states of plain numbers. A state is `cells` from index `base` on; cells that
 * are all 0 mean "never seen", by arithmetic and not by a flag. Each function is pure but for the
 * cells or the reading that it is told to fill. Its twin is `redis/<name>.lua`: same names, same
 * order. Change both or neither.
 *
 * The caller keeps to this order: `read`; `admits`; when admitted `take` and `write`; then the reports.
 * A cost of 0 is never given to `admits`, `take` or `owe`: it is admitted and writes nothing.
 */
export interface Algorithm {
  /**
   * Numbers in a state; 0 when each state is an array of its own that grows (sliding-window-log): such
   * a state begins as an array of no cells, with `base` 0, and is from then on what `write` answers.
   */
  readonly width: number;
  /** Reads the state at `now`. A mark more than one span ahead is not credible: the state reads as absent. */
  read(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, reading: Reading): void;
  /** Whether `cost` >= 1 fits now. */
  admits(policy: ResolvedPolicy, reading: Reading, cost: number): boolean;
  /** Adds `cost` to what is used. Counts saturate at 2^51. */
  take(policy: ResolvedPolicy, reading: Reading, cost: number): void;
  /** Adds `cost` whatever the capacity; buckets forgive what passes a debt of one capacity. */
  owe(policy: ResolvedPolicy, reading: Reading, cost: number): void;
  /** Stores the reading; returns the cells to keep, which differ only where a state had to grow. */
  write(policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): Float64Array;
  /** Whole units admissible now, never negative. */
  remaining(policy: ResolvedPolicy, reading: Reading): number;
  /** Ms from now until the whole capacity is available. */
  resetMs(policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): number;
  /** Ms from now until `cost`, which does not fit now, would; `Infinity` when it exceeds the capacity. */
  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number, cells: Float64Array, base: number): number;
  /** leaky-bucket: ms from `time` until an admitted `cost` may go on; called before `take`. Others: 0. */
  delayMs(policy: ResolvedPolicy, reading: Reading, cost: number): number;
  /** Names what `take` charged, for a later `refund`; called after `write`. */
  receipt(reading: Reading): number;
  /** Gives `cost` units of the charge named by `receipt` back, where it still counts at `now`. */
  refund(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, receipt: number, cost: number): void;
  /**
   * The first ms at which the state reads as never seen; 0 for cells that are all 0. `Infinity` for a
   * used bucket at a limit of 0, from which nothing drains.
   */
  staleAt(policy: ResolvedPolicy, cells: Float64Array, base: number): number;
}

/** Counts stop here: the sum of two and a cost stays exact below 2^53. */
export const MAX_COUNT: number = 2 ** 51;

/** The dearest single cost, tested before anything is multiplied. */
export const MAX_COST: number = 2 ** 31;

export function newReading(): Reading {
  // Doubles from the start, so that the engine never changes the shape of the object.
  return { now: 0.5, time: 0.5, used: 0.5, current: 0.5, previous: 0.5, start: 0.5, first: 0 };
}
