import { CallerRecords, LONGEST_STREAK, REJECTED, REQUESTS, STREAK } from "./caller-records.ts";
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
  /** Callers that were rejected at least once. */
  callersRejected = 0;
  longestStreak = 0;
  /** Whose the longest streak was; -1 when nobody was rejected. */
  longestStreakOf = -1;

  /** @param window - the stretch in which callers' peaks are looked for, in ms. */
  constructor(window: number) {
    this.peaks = new WindowPeaks(window);
  }

  /**
   * @param time - whole epoch ms, never before the last.
   * @param caller - its number; -1 for a request that has no caller.
   */
  add(time: number, caller: number, cost: number, admitted: boolean): void {
    this.requests += 1;
    this.timeline.add(time, admitted);
    if (admitted) {
      this.perSecond.add(time);
      this.perMinute.add(time);
    } else this.rejected += 1;
    if (caller < 0) return;

    const cells = this.records.cellsOf(caller);
    const base = this.records.baseOf(caller);
    cells[base + REQUESTS] = (cells[base + REQUESTS] as number) + 1;
    if (admitted) cells[base + STREAK] = 0;
    else this.#reject(cells, base, caller);
    this.peaks.add(time, caller, cost, admitted, this.records);
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
