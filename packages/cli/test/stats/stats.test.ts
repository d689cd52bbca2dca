import fc from "fast-check";
import { distributionOf, niceAtLeast, quantile } from "../../src/stats/distribution.ts";
import { RatePeak } from "../../src/stats/rate-peak.ts";
import { Tally } from "../../src/stats/tally.ts";
import { Timeline } from "../../src/stats/timeline.ts";

const steps = fc.array(fc.nat(700), { minLength: 1, maxLength: 200, size: "max" });

function timesOf(gaps: readonly number[]): number[] {
  let time = 1_796_000_000_123;
  return gaps.map((gap) => (time += gap));
}

describe("statistics", () => {
  test("property: the peak rate is that of the fullest stretch", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 3_000 }), (gaps, length) => {
        const times = timesOf(gaps);
        const peak = new RatePeak(length);
        for (const time of times) peak.add(time);
        const worst = Math.max(
          ...times.map((end) => times.filter((time) => time > end - length && time <= end).length),
        );
        expect(peak.most).toBe(worst);
        expect(times.filter((time) => time > peak.at - length && time <= peak.at)).toHaveLength(worst);
      }),
    );
  });

  test("property: the timeline loses nothing, however long it gets, and its slots begin at whole slots", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(700), fc.nat(10_000_000)), { minLength: 1, maxLength: 200, size: "max" }),
        (gaps) => {
          const times = timesOf(gaps);
          const timeline = new Timeline();
          for (const [index, time] of times.entries()) timeline.add(time, index % 3 !== 0);
          const slots = (counted: readonly number[]): number[] =>
            Array.from(
              { length: timeline.length },
              (_, slot) =>
                counted.filter((time) => Math.floor((time - timeline.start) / timeline.slot) === slot).length,
            );
          expect([...timeline.requests.subarray(0, timeline.length)]).toEqual(slots(times));
          expect([...timeline.rejected.subarray(0, timeline.length)]).toEqual(
            slots(times.filter((_, index) => index % 3 === 0)),
          );
          expect(timeline.start % timeline.slot).toBe(0);
          expect(timeline.length).toBeLessThanOrEqual(1_200);
        },
      ),
    );
  });

  test("property: bins and quantiles tell how many callers have which number", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5_000), { minLength: 1, maxLength: 100, size: "max" }), (numbers) => {
        const { bins, max, median, p90 } = distributionOf(Uint32Array.from(numbers));
        const above = (limit: number): number => numbers.filter((number) => number > limit).length;
        expect(max).toBe(Math.max(...numbers));
        expect(above(median)).toBeLessThanOrEqual(numbers.length / 2);
        expect(above(median - 1)).toBeGreaterThan(numbers.length / 2 - 1);
        expect(above(p90)).toBeLessThanOrEqual(numbers.length / 10);
        for (const [index, { from, callers }] of bins.entries()) {
          const end = bins[index + 1]?.from ?? Infinity;
          expect(callers).toBe(numbers.filter((number) => number >= from && number < end).length);
        }
        expect(bins.reduce((sum, { callers }) => sum + callers, 0)).toBe(numbers.length);
      }),
    );
  });

  test("numbers are rounded up to ones that people like", () => {
    expect([1, 2, 7, 11, 13, 100, 101, 137, 2_100, 88_000].map(niceAtLeast)).toEqual([
      1, 2, 8, 12, 15, 100, 120, 150, 2_500, 100_000,
    ]);
    expect(quantile([], 0.5)).toBe(0);
  });

  test("rejections in a row are a streak until the caller is admitted", () => {
    const tally = new Tally(1_000);
    const verdicts = [true, false, false, true, false, false, false, true, false];
    for (const [index, admitted] of verdicts.entries()) {
      tally.add(1_000_000 + index, 0, 1, admitted);
      tally.add(1_000_000 + index, 1, 1, index % 2 === 0);
    }
    expect([tally.longestStreak, tally.longestStreakOf]).toEqual([3, 0]);
    expect([tally.requests, tally.rejected, tally.callersRejected]).toEqual([18, 10, 2]);
  });

  test("what is held back reaches the backend later", () => {
    const tally = new Tally(1_000);
    for (let i = 0; i < 10; i++) tally.add(1_000_000, 0, 1, true, i * 500);
    tally.release(Infinity);
    expect([tally.perSecond.most, tally.perMinute.most]).toEqual([2, 10]);
    expect([tally.delayed, tally.longestDelayMs]).toEqual([9, 4_500]);
  });
});
