import fc from "fast-check";
import { ADMITTED_PEAK, ASKED_PEAK, CallerRecords } from "../../src/stats/caller-records.ts";
import { WindowPeaks } from "../../src/stats/window-peaks.ts";

const history = fc.array(
  fc.record({
    step: fc.nat(8).map((steps) => steps * 50),
    caller: fc.nat(3),
    cost: fc.integer({ min: 0, max: 5 }),
    admitted: fc.boolean(),
  }),
  { maxLength: 120, size: "max" },
);

describe("the most of a caller in one window", () => {
  test("property: is that of the worst stretch, wherever it begins", () => {
    fc.assert(
      fc.property(
        history,
        fc.integer({ min: 1, max: 40 }).map((steps) => steps * 50),
        (steps, window) => {
          const records = new CallerRecords();
          const peaks = new WindowPeaks(window);
          let time = 1_000_000;
          const requests = steps.map(({ step, ...rest }) => ({ ...rest, time: (time += step) }));
          for (const { time: at, caller, cost, admitted } of requests) peaks.add(at, caller, cost, admitted, records);

          for (const caller of [0, 1, 2, 3]) {
            const own = requests.filter((each) => each.caller === caller);
            const worst = (counted: typeof own): number =>
              Math.max(
                0,
                ...counted.map(({ time: end }) =>
                  counted
                    .filter((each) => each.time > end - window && each.time <= end)
                    .reduce((sum, { cost }) => sum + cost, 0),
                ),
              );
            expect(records.get(caller, ASKED_PEAK)).toBe(worst(own));
            expect(records.get(caller, ADMITTED_PEAK)).toBe(worst(own.filter(({ admitted }) => admitted)));
          }
          expect(peaks.exact).toBe(true);
        },
      ),
    );
  });

  test("is told to be a lower bound when a window holds too many requests", () => {
    const records = new CallerRecords();
    const peaks = new WindowPeaks(1_000_000, 2_048);
    for (let i = 0; i < 5_000; i++) peaks.add(i, 0, 1, true, records);
    expect(peaks.exact).toBe(false);
    expect(records.get(0, ASKED_PEAK)).toBe(2_048);
  });
});
