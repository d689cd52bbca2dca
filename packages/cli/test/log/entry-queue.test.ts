import fc from "fast-check";
import { EntryQueue } from "../../src/log/entry-queue.ts";

jest.setTimeout(60_000);

interface Left {
  readonly time: number;
  readonly id: number;
  readonly extra: unknown;
}

/** Pushes all times, each with its place as a number, and takes out whatever may leave after each. */
function run(queue: EntryQueue, times: readonly number[]): Left[] {
  const left: Left[] = [];
  const words = new Int32Array(1);
  const drain = (ended: boolean): void => {
    while (queue.ready(ended)) {
      const time = queue.headTime();
      const extra = queue.shift(words);
      left.push({ time, id: words[0] as number, extra });
    }
  };
  for (const [id, time] of times.entries()) {
    queue.push(time, Int32Array.of(id), `extra ${id}`);
    drain(false);
  }
  drain(true);
  return left;
}

const ids = (left: readonly Left[]): number[] => left.map(({ id }) => id);

describe("the queue that puts requests in order", () => {
  test("keeps what is in order as it is, equals in the order of their lines", () => {
    const left = run(new EntryQueue(1, 5_000, false), [1_000, 1_000, 2_000, 2_000, 60_000]);
    expect(ids(left)).toEqual([0, 1, 2, 3, 4]);
  });

  test("puts a line right that comes late by no more than its time", () => {
    const queue = new EntryQueue(1, 5_000, false);
    const left = run(queue, [10_000, 14_000, 9_000, 12_000, 10_000]);
    expect(left.map(({ time }) => time)).toEqual([9_000, 10_000, 10_000, 12_000, 14_000]);
    expect(ids(left)).toEqual([2, 0, 4, 3, 1]);
    expect([queue.outOfOrder, queue.late, queue.latest]).toEqual([3, 0, 5_000]);
  });

  test("lets a line that comes later count at the time of the last one that left", () => {
    const queue = new EntryQueue(1, 1_000, false);
    const left = run(queue, [10_000, 12_000, 5_000, 14_000]);
    expect(left.map(({ time }) => time)).toEqual([10_000, 10_000, 12_000, 14_000]);
    expect([queue.late, queue.latest]).toEqual([1, 7_000]);
  });

  test("spreads the requests of a whole second over it, and no others", () => {
    const left = run(new EntryQueue(1, 0, true), [1_000, 1_000, 1_000, 1_000, 2_000, 3_500, 3_500]);
    expect(left.map(({ time }) => time)).toEqual([1_000, 1_250, 1_500, 1_750, 2_000, 3_500, 3_500]);
  });

  test("property: spreads every second alike, however many there are", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(60), { minLength: 60, maxLength: 120 }), (sizes) => {
        const times = sizes.flatMap((size, index) => Array.from({ length: size }, () => 1_000 * (100 + index)));
        const spread = sizes.flatMap((size, index) =>
          Array.from({ length: size }, (_, place) => 1_000 * (100 + index) + Math.floor((1_000 * place) / size)),
        );
        expect(run(new EntryQueue(1, 0, true), times).map(({ time }) => time)).toEqual(spread);
      }),
      { numRuns: 20 },
    );
  });

  test("property: nothing is lost, time never goes back, and what is late by no more than allowed keeps its time", () => {
    const steps = fc.array(fc.tuple(fc.nat(3_000), fc.nat(6_000)), { maxLength: 1_500, size: "max" });
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 7_000 }), (pairs, reorderMs) => {
        let newest = 100_000;
        const times = pairs.map(([step, late]) => (newest += step) - late);
        const left = run(new EntryQueue(1, reorderMs, false), times);
        expect(ids(left).sort((a, b) => a - b)).toEqual(times.map((_, id) => id));
        const strange = left.filter(
          ({ time, id, extra }, index) =>
            time < (left[index - 1]?.time ?? 0) || time < (times[id] as number) || extra !== `extra ${id}`,
        );
        expect(strange).toEqual([]);
        if (reorderMs >= 6_000) expect(left.map(({ time }) => time)).toEqual(times.slice().sort((a, b) => a - b));
      }),
      { numRuns: 25 },
    );
  });
});
