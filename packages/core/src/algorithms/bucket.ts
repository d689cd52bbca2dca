import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Algorithm, Reading } from "./algorithm.ts";

/** Cells of a state. */
const TIME = 0;
const USED = 1;

/**
 * What token and leaky bucket share: used units at the time of the last charge. They are counted in
 * units of 1/window, of which `limit` drain in each ms, so nothing is ever rounded and a changed limit
 * needs no conversion.
 *
 * Twin of `redis/bucket.lua`.
 */
export const bucket: Omit<Algorithm, "delayMs"> = Object.freeze({
  width: 2,

  read(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, reading: Reading): void {
    const time = cells[base + TIME] as number;
    const ahead = time - now;
    reading.now = now;
    if (ahead > policy.span) {
      reading.time = now;
      reading.used = 0;
    } else if (ahead > 0) {
      reading.time = time;
      reading.used = cells[base + USED] as number;
    } else {
      reading.time = now;
      reading.used = Math.max(0, (cells[base + USED] as number) + ahead * policy.limit);
    }
  },

  admits(policy: ResolvedPolicy, reading: Reading, cost: number): boolean {
    return cost <= policy.capacity && reading.used + cost * policy.window <= policy.capacity * policy.window;
  },

  take(policy: ResolvedPolicy, reading: Reading, cost: number): void {
    reading.used += cost * policy.window;
  },

  owe(policy: ResolvedPolicy, reading: Reading, cost: number): void {
    // A sum too large to be exact is above the bound, and stays above it when rounded.
    const owed = Math.min(reading.used + cost * policy.window, 2 * policy.capacity * policy.window);
    reading.used = Math.max(reading.used, owed);
  },

  write(_policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): Float64Array {
    cells[base + TIME] = reading.time;
    cells[base + USED] = reading.used;
    return cells;
  },

  remaining(policy: ResolvedPolicy, reading: Reading): number {
    return Math.max(0, Math.floor((policy.capacity * policy.window - reading.used) / policy.window));
  },

  resetMs(policy: ResolvedPolicy, reading: Reading): number {
    if (policy.capacity === 0 || reading.used === 0) return 0;
    return Math.ceil(reading.used / policy.limit) + reading.time - reading.now;
  },

  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number): number {
    if (cost > policy.capacity) return Infinity;
    const surplus = reading.used - (policy.capacity - cost) * policy.window;
    return Math.ceil(surplus / policy.limit) + reading.time - reading.now;
  },

  receipt(reading: Reading): number {
    return reading.time;
  },

  refund(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, receipt: number, cost: number): void {
    const time = cells[base + TIME] as number;
    if (time - now > policy.span || Math.max(now, time) - receipt >= policy.span) return;
    cells[base + USED] = Math.max(0, (cells[base + USED] as number) - cost * policy.window);
  },

  staleAt(policy: ResolvedPolicy, cells: Float64Array, base: number): number {
    const used = cells[base + USED] as number;
    return (cells[base + TIME] as number) + (used === 0 ? 0 : Math.ceil(used / policy.limit));
  },
});
