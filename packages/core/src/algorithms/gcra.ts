import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Algorithm, Reading } from "./algorithm.ts";
import { noDelay } from "./window.ts";

/**
 * The generic cell rate algorithm: a state is one number, the theoretical arrival time of the next
 * unit, counted in 1/reducedLimit ms so that a unit takes a whole `reducedWindow` of them. Decides as
 * the token bucket does. Without a mark of its own it reads `now` as it is.
 *
 * Twin of `redis/gcra.lua`.
 */
export const gcra: Algorithm = Object.freeze({
  width: 1,

  read(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, reading: Reading): void {
    reading.now = now;
    reading.time = now;
    reading.used = usedAt(policy, cells[base] as number, now);
  },

  admits(policy: ResolvedPolicy, reading: Reading, cost: number): boolean {
    return (
      cost <= policy.capacity && reading.used + cost * policy.reducedWindow <= policy.capacity * policy.reducedWindow
    );
  },

  take(policy: ResolvedPolicy, reading: Reading, cost: number): void {
    reading.used += cost * policy.reducedWindow;
  },

  owe(policy: ResolvedPolicy, reading: Reading, cost: number): void {
    // A sum too large to be exact is above the bound, and stays above it when rounded.
    const owed = Math.min(reading.used + cost * policy.reducedWindow, 2 * policy.capacity * policy.reducedWindow);
    reading.used = Math.max(reading.used, owed);
  },

  write(policy: ResolvedPolicy, reading: Reading, cells: Float64Array, base: number): Float64Array {
    cells[base] = reading.now * policy.reducedLimit + reading.used;
    return cells;
  },

  remaining(policy: ResolvedPolicy, reading: Reading): number {
    return Math.max(0, Math.floor((policy.capacity * policy.reducedWindow - reading.used) / policy.reducedWindow));
  },

  resetMs(policy: ResolvedPolicy, reading: Reading): number {
    return reading.used === 0 ? 0 : Math.ceil(reading.used / policy.reducedLimit);
  },

  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number): number {
    if (cost > policy.capacity) return Infinity;
    const surplus = reading.used - (policy.capacity - cost) * policy.reducedWindow;
    return Math.ceil(surplus / policy.reducedLimit);
  },

  delayMs: noDelay,

  receipt(reading: Reading): number {
    return reading.now;
  },

  refund(policy: ResolvedPolicy, cells: Float64Array, base: number, now: number, receipt: number, cost: number): void {
    if (now - receipt >= policy.span) return;
    const arrival = cells[base] as number;
    cells[base] = arrival - Math.min(usedAt(policy, arrival, now), cost * policy.reducedWindow);
  },

  staleAt(policy: ResolvedPolicy, cells: Float64Array, base: number): number {
    const arrival = cells[base] as number;
    return arrival === 0 ? 0 : Math.ceil(arrival / policy.reducedLimit);
  },
});

/** What stands between `now` and the arrival time; none when that is so far ahead that only a broken clock explains it. */
function usedAt(policy: ResolvedPolicy, arrival: number, now: number): number {
  const used = arrival - now * policy.reducedLimit;
  return used > 0 && used <= 3 * policy.capacity * policy.reducedWindow ? used : 0;
}
