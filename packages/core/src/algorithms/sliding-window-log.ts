import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { MAX_COUNT, type Algorithm, type Reading } from "./algorithm.ts";
import * as log from "./log-entries.ts";
import { noDelay } from "./window.ts";

/**
 * Remembers when each unit was admitted: no interval as long as the window ever holds more than the
 * limit. Each state is an array of its own, laid out as `log-entries.ts` says.
 *
 * Twin of `redis/sliding-window-log.lua`.
 */
export const slidingWindowLog: Algorithm = Object.freeze({
  width: 0,

  read(policy: ResolvedPolicy, cells: Float64Array, _base: number, now: number, reading: Reading): void {
    const end = log.end(cells);
    const mark = log.mark(cells);
    reading.now = now;
    reading.time = now;
    reading.first = end;
    reading.used = 0;
    if (mark <= now - policy.window || mark - now > policy.window || log.isEmpty(cells)) return;
    reading.time = Math.max(now, mark);
    reading.first = log.firstAfter(cells, reading.time - policy.window);
    reading.used = log.unitsBefore(cells, end) - log.unitsBefore(cells, reading.first);
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

  write(_policy: ResolvedPolicy, reading: Reading, cells: Float64Array): Float64Array {
    return log.append(cells, reading.first, reading.time, reading.used);
  },

  remaining(policy: ResolvedPolicy, reading: Reading): number {
    return Math.max(0, policy.limit - reading.used);
  },

  resetMs(policy: ResolvedPolicy, reading: Reading, cells: Float64Array): number {
    return policy.limit === 0 || reading.used === 0 ? 0 : log.mark(cells) + policy.window - reading.now;
  },

  retryAfterMs(policy: ResolvedPolicy, reading: Reading, cost: number, cells: Float64Array): number {
    if (cost > policy.limit) return Infinity;
    const surplus = reading.used + cost - policy.limit;
    return log.timeOfUnit(cells, reading.first, surplus) + policy.window - reading.now;
  },

  delayMs: noDelay,

  receipt(reading: Reading): number {
    return reading.time;
  },

  refund(policy: ResolvedPolicy, cells: Float64Array, _base: number, now: number, receipt: number, cost: number): void {
    const mark = log.mark(cells);
    if (log.isEmpty(cells) || mark - now > policy.window || receipt <= Math.max(now, mark) - policy.window) return;
    log.giveBack(cells, receipt, cost);
  },

  staleAt(policy: ResolvedPolicy, cells: Float64Array): number {
    return log.isEmpty(cells) ? 0 : log.mark(cells) + policy.window;
  },
});
