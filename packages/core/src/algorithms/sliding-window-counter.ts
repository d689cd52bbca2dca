import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { MAX_COUNT, type Algorithm, type Reading } from "./algorithm.ts";
import { largestMultiplier, multiplyDivide } from "./multiply-divide.ts";
import { noDelay, startOfWindow } from "./window.ts";

/** Cells of a state. */
const START = 0;
const CURRENT = 1;
const PREVIOUS = 2;

/**
 * Counts in windows that are aligned to the epoch, and adds what the window before has left by the
 * share of it that a window ending now would still cover, rounded down.
 *
 * Twin of `redis/sliding-window-counter.lua`.
 */
export const slidingWindowCounter: Algorithm = Object.freeze({
  width: 3,

  read(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, reading: Reading): void {
    const { window } = policy;
    const start = cells[base + START] as number;
    const elapsed = now - start;
    reading.now = now;
    if (elapsed < window && elapsed >= -window) {
      reading.time = elapsed < 0 ? start : now;
      reading.start = start;
      reading.current = cells[base + CURRENT] as number;
      reading.previous = cells[base + PREVIOUS] as number;
    } else if (elapsed >= window && elapsed < 2 * window) {
      reading.time = now;
      reading.start = start + window;
      reading.current = 0;
      reading.previous = cells[base + CURRENT] as number;
    } else {
      reading.time = now;
      reading.start = startOfWindow(now, window);
      reading.current = 0;
      reading.previous = 0;
    }
    const left = reading.start + window - reading.time;
    reading.used = reading.current + (reading.previous === 0 ? 0 : multiplyDivide(reading.previous, left, window));
  },

  admits(policy: ResolvedPolicy, reading: Reading, cost: number): boolean {
    return reading.used + cost <= policy.limit;
  },

  take(_policy: ResolvedPolicy, reading: Reading, cost: number): void {
    reading.current += cost;
    reading.used += cost;
  },

  owe(_policy: ResolvedPolicy, reading: Reading, cost: number): void {
    const owed = Math.min(cost, MAX_COUNT - reading.current);
    reading.current += owed;
    reading.used += owed;
  },

  write(_policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): Float64Array {
    cells[base + START] = reading.start;
    cells[base + CURRENT] = reading.current;
    cells[base + PREVIOUS] = reading.previous;
    return cells;
  },

  remaining(policy: ResolvedPolicy, reading: Reading): number {
    return Math.max(0, policy.limit - reading.used);
  },

  resetMs(policy: ResolvedPolicy, reading: Reading): number {
    return policy.limit === 0 || reading.used === 0 ? 0 : fadesAt(policy.window, reading, 0) - reading.now;
  },

  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number): number {
    return cost > policy.limit ? Infinity : fadesAt(policy.window, reading, policy.limit - cost) - reading.now;
  },

  delayMs: noDelay,

  receipt(reading: Reading): number {
    return reading.start;
  },

  refund(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, receipt: number, cost: number): void {
    const { window } = policy;
    const start = cells[base + START] as number;
    if (start - now > window || now >= receipt + 2 * window) return;
    // Into the cell that was charged, even where reading would already move it on: a refund moves no mark.
    const cell = receipt === start ? CURRENT : receipt === start - window ? PREVIOUS : undefined;
    if (cell !== undefined) cells[base + cell] = Math.max(0, (cells[base + cell] as number) - cost);
  },

  staleAt(policy: ResolvedPolicy, cells: Float64Array, base: number): number {
    const start = cells[base + START] as number;
    if (cells[base + CURRENT] !== 0) return start + 2 * policy.window;
    return start === 0 && cells[base + PREVIOUS] === 0 ? 0 : start + policy.window;
  },
});

/** The first ms at which at most `most` units count, if more do now. */
function fadesAt(window: number, { start, current, previous }: Reading, most: number): number {
  return current <= most
    ? start + elapsedUntil(window, previous, most - current)
    : start + window + elapsedUntil(window, current, most);
}

/** How much of a window must have passed until of the `count` units in the window before at most `most` still count. */
function elapsedUntil(window: number, count: number, most: number): number {
  return window - largestMultiplier(count, window, most);
}
