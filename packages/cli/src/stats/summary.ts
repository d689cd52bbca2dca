import { displayKey } from "../callers/key-spec.ts";
import type { CallerTable } from "../callers/caller-table.ts";
import type { PolicyLine } from "../judge/judge.ts";
import { ADMITTED_PEAK, ASKED_PEAK, LONGEST_STREAK, REJECTED, REQUESTS } from "./caller-records.ts";
import { distributionOf, type Distribution } from "./distribution.ts";
import type { Tally } from "./tally.ts";

/** How many callers the JSON and HTML reports list. */
const LISTED = 100;

/** What became of the requests under one scenario, in plain numbers. */
export interface ScenarioSummary {
  readonly label: string;
  readonly policies: readonly PolicyLine[];
  readonly requests: number;
  readonly admitted: number;
  readonly rejected: number;
  readonly callers: number;
  /** Callers that were rejected at least once. */
  readonly callersRejected: number;
  /** Admitted but held back (leaky-bucket), and the longest for which one was, in ms. */
  readonly delayed: number;
  readonly longestDelayMs: number;
  /** The longest run of rejections of one caller, without an admission between them. */
  readonly longestStreak: { readonly length: number; readonly caller: string } | null;
  /** The most that were admitted in any second, and when it ended: what the backend would have felt. */
  readonly peakPerSecond: RateSummary;
  readonly peakPerMinute: RateSummary;
  /** Length in ms of the stretch that callers' peaks are about: the window of the first policy. */
  readonly window: number;
  /** False when one window held more requests than are remembered; then peaks are at least what is told. */
  readonly peaksExact: boolean;
  /** Most units that each caller asked for in any stretch of one window, and got. */
  readonly asked: Distribution;
  readonly got: Distribution;
  /** Callers that got more than the limit within one window's length, by straddling a boundary or by a burst. */
  readonly aboveLimit: { readonly callers: number; readonly most: number; readonly caller: string } | null;
  /** Those who asked most, and those who were rejected most. */
  readonly heaviest: readonly CallerSummary[];
  readonly mostRejected: readonly CallerSummary[];
  readonly timeline: {
    readonly start: number;
    readonly slot: number;
    readonly requests: readonly number[];
    readonly rejected: readonly number[];
  };
}

interface RateSummary {
  readonly requests: number;
  /** Epoch ms. */
  readonly at: number;
}

interface CallerSummary {
  readonly caller: string;
  readonly requests: number;
  readonly rejected: number;
  readonly longestStreak: number;
  /** Most units within one window. */
  readonly asked: number;
  readonly got: number;
}

/** @param callers - the table that the tally's callers are numbered by. */
export function summarize(
  label: string,
  policies: readonly PolicyLine[],
  tally: Tally,
  callers: CallerTable,
): ScenarioSummary {
  tally.release(Infinity);
  const { records, timeline } = tally;
  const seen = seenBy(tally, callers.size);
  const peaks = (what: number): Uint32Array => Uint32Array.from(seen, (caller) => records.get(caller, what));
  const caller = (number: number): CallerSummary => ({
    caller: displayKey(callers.key(number)),
    requests: records.get(number, REQUESTS),
    rejected: records.get(number, REJECTED),
    longestStreak: records.get(number, LONGEST_STREAK),
    asked: records.get(number, ASKED_PEAK),
    got: records.get(number, ADMITTED_PEAK),
  });
  const mostRejected = largest(seen, (number) => records.get(number, REJECTED)).filter(
    (number) => records.get(number, REJECTED) > 0,
  );
  return {
    label,
    policies,
    requests: tally.requests,
    admitted: tally.requests - tally.rejected,
    rejected: tally.rejected,
    callers: seen.length,
    callersRejected: tally.callersRejected,
    delayed: tally.delayed,
    longestDelayMs: tally.longestDelayMs,
    longestStreak:
      tally.longestStreakOf < 0
        ? null
        : { length: tally.longestStreak, caller: displayKey(callers.key(tally.longestStreakOf)) },
    peakPerSecond: { requests: tally.perSecond.most, at: tally.perSecond.at },
    peakPerMinute: { requests: tally.perMinute.most, at: tally.perMinute.at },
    window: tally.peaks.window,
    peaksExact: tally.peaks.exact,
    asked: distributionOf(peaks(ASKED_PEAK)),
    got: distributionOf(peaks(ADMITTED_PEAK)),
    aboveLimit: aboveLimit(seen, policies[0]?.limit ?? Infinity, tally, callers),
    heaviest: largest(seen, (number) => records.get(number, REQUESTS)).map(caller),
    mostRejected: mostRejected.map(caller),
    timeline: {
      start: timeline.start,
      slot: timeline.slot,
      requests: [...timeline.requests.subarray(0, timeline.length)],
      rejected: [...timeline.rejected.subarray(0, timeline.length)],
    },
  };
}

function seenBy(tally: Tally, size: number): Uint32Array {
  const seen = new Uint32Array(size);
  let count = 0;
  for (let caller = 0; caller < size; caller++) if (tally.records.get(caller, REQUESTS) > 0) seen[count++] = caller;
  return seen.subarray(0, count);
}

function aboveLimit(
  seen: Uint32Array,
  limit: number,
  { records }: Tally,
  callers: CallerTable,
): ScenarioSummary["aboveLimit"] {
  let [count, most, who] = [0, 0, -1];
  for (const caller of seen) {
    const got = records.get(caller, ADMITTED_PEAK);
    if (got <= limit) continue;
    count += 1;
    if (got > most) [most, who] = [got, caller];
  }
  return count === 0 ? null : { callers: count, most, caller: displayKey(callers.key(who)) };
}

/** The callers with the largest numbers, largest first; equals in the order of their arrival. */
function largest(seen: Uint32Array, numberOf: (caller: number) => number): number[] {
  const chosen: { caller: number; number: number }[] = [];
  for (const caller of seen) {
    const number = numberOf(caller);
    if (chosen.length === LISTED && number <= (chosen.at(-1)?.number ?? 0)) continue;
    let at = chosen.length;
    while (at > 0 && (chosen[at - 1] as { number: number }).number < number) at--;
    chosen.splice(at, 0, { caller, number });
    if (chosen.length > LISTED) chosen.pop();
  }
  return chosen.map(({ caller }) => caller);
}
