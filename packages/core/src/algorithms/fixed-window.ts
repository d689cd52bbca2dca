import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { MAX_COUNT, type Algorithm, type Reading } from "./algorithm.ts";
import { noDelay, startOfWindow } from "./window.ts";

/** Cells of a state. */
const START = 0;
const COUNT = 1;

/**
 * Counts in windows that are aligned to the epoch. Up to twice the limit may pass around a
 * window's edge: that is what this algorithm promises, and why it is the cheapest.
 *
 * Twin of `redis/fixed-window.lua`.
 */
export const fixedWindow: Algorithm = Object.freeze({
  width: 2,

  read(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, reading: Reading): void {
    const { window } = policy;
    const start = cells[base + START] as number;
    const elapsed = now - start;
    reading.now = now;
    if (elapsed < window && elapsed >= -window) {
      reading.time = elapsed < 0 ? start : now;
      reading.start = start;
      reading.used = cells[base + COUNT] as number;
    } else {
      reading.time = now;
      reading.start = startOfWindow(now, window);
      reading.used = 0;
    }
  },

  admits(policy: ResolvedPolicy, reading: Reading, cost: number): boolean {
    return reading.used + cost <= policy.limit;
  },

  take(_policy: ResolvedPolicy, reading: Reading, cost: number): void {
    reading.used += cost;
  },

  owe(_policy: ResolvedPolicy, reading: Reading, cost: number): void {
    reading.used = Math.min(reading.used + cost, MAX_COUNT);
  },

  write(_policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): Float64Array {
    cells[base + START] = reading.start;
    cells[base + COUNT] = reading.used;
    return cells;
  },

  remaining(policy: ResolvedPolicy, reading: Reading): number {
    return Math.max(0, policy.limit - reading.used);
  },

  resetMs(policy: ResolvedPolicy, reading: Reading): number {
    return policy.limit === 0 || reading.used === 0 ? 0 : reading.start + policy.window - reading.now;
  },

  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number): number {
    return cost > policy.limit ? Infinity : reading.start + policy.window - reading.now;
  },

  delayMs: noDelay,

  receipt(reading: Reading): number {
    return reading.start;
  },

  refund(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, receipt: number, cost: number): void {
    const start = cells[base + START] as number;
    const elapsed = now - start;
    if (start !== receipt || elapsed >= policy.window || elapsed < -policy.window) return;
    cells[base + COUNT] = Math.max(0, (cells[base + COUNT] as number) - cost);
  },

  staleAt(policy: ResolvedPolicy, cells: Float64Array, base: number): number {
    const start = cells[base + START] as number;
    return start === 0 && cells[base + COUNT] === 0 ? 0 : start + policy.window;
  },
});
