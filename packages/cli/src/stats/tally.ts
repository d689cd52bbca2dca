import { CallerRecords, LONGEST_STREAK, REJECTED, REQUESTS, STREAK } from "./caller-records.ts";
import { Heap } from "heap-js";
import { RatePeak } from "./rate-peak.ts";
import { Timeline } from "./timeline.ts";
import { WindowPeaks } from "./window-peaks.ts";

/** Counts what became of the requests under one scenario. */
export class Tally {
  readonly records: CallerRecords = new CallerRecords();
  readonly timeline: Timeline = new Timeline();
  /** Admitted in any second, and in any minute: what the backend feels. */
  readonly perSecond: RatePeak = new RatePeak(1_000);
  readonly perMinute: RatePeak = new RatePeak(60_000);
  readonly peaks: WindowPeaks;
  requests = 0;
  rejected = 0;
  /** Admitted, but held back for a while. */
  delayed = 0;
  longestDelayMs = 0;
  /** Callers that were rejected at least once. */
  callersRejected = 0;
  longestStreak = 0;
  /** Whose the longest streak was; -1 when nobody was rejected. */
  longestStreakOf = -1;
  /** When requests that are held back will go on. */
  readonly #held = new Heap<number>();

  /** @param window - the stretch in which callers' peaks are looked for, in ms. */
  constructor(window: number) {
    this.peaks = new WindowPeaks(window);
  }

  /**
   * @param time - whole epoch ms, never before the last.
   * @param delayMs - how long an admitted request is held back.
   */
  add(time: number, caller: number, cost: number, admitted: boolean, delayMs: number = 0): void {
    this.requests += 1;
    this.timeline.add(time, admitted);
    this.release(time);
    if (!admitted) this.rejected += 1;
    else if (delayMs === 0) this.#reachBackend(time);
    else {
      this.delayed += 1;
      this.longestDelayMs = Math.max(this.longestDelayMs, delayMs);
      this.#held.push(time + delayMs);
    }
    const cells = this.records.cellsOf(caller);
    const base = this.records.baseOf(caller);
    cells[base + REQUESTS] = (cells[base + REQUESTS] as number) + 1;
    if (admitted) cells[base + STREAK] = 0;
    else this.#reject(cells, base, caller);
    this.peaks.add(time, caller, cost, admitted, this.records);
  }

  /** Lets go on what is held back no longer than until `time`. */
  release(time: number): void {
    while (this.#held.length > 0 && (this.#held.peek() as number) <= time)
      this.#reachBackend(this.#held.pop() as number);
  }

  #reachBackend(time: number): void {
    this.perSecond.add(time);
    this.perMinute.add(time);
  }

  #reject(cells: Uint32Array, base: number, caller: number): void {
    const rejected = (cells[base + REJECTED] as number) + 1;
    const streak = (cells[base + STREAK] as number) + 1;
    cells[base + REJECTED] = rejected;
    cells[base + STREAK] = streak;
    if (rejected === 1) this.callersRejected += 1;
    if (streak > (cells[base + LONGEST_STREAK] as number)) cells[base + LONGEST_STREAK] = streak;
    if (streak <= this.longestStreak) return;
    this.longestStreak = streak;
    this.longestStreakOf = caller;
  }
}
