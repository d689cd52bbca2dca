import fc from "fast-check";
import { MAX_COUNT, MAX_COST } from "../../src/algorithms/algorithm.ts";
import { policyOf, stateOf, type Look } from "../support/state.ts";

/** The definition, in numbers without end. */
function bigLook(
  limit: number,
  window: number,
  cells: readonly [number, number, number],
  now: number,
  cost: number,
): Look {
  const [start, current, previous] = cells;
  const used = (at: number): bigint => {
    const passed = Math.floor((at - start) / window);
    const [before, within] = passed === 0 ? [previous, current] : passed === 1 ? [current, 0] : [0, 0];
    const left = window - ((at - start) % window);
    return (BigInt(before) * BigInt(left)) / BigInt(window) + BigInt(within);
  };
  const firstAt = (most: bigint): number => {
    let [low, high] = [now, start + 2 * window];
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2);
      if (used(middle) <= most) high = middle;
      else low = middle + 1;
    }
    return low - now;
  };
  const room = BigInt(limit) - used(now);
  const allowed = BigInt(cost) <= room;
  return {
    allowed,
    remaining: Math.max(0, Number(room)),
    resetMs: firstAt(0n),
    retryAfterMs: allowed ? 0 : cost > limit ? Infinity : firstAt(BigInt(limit) - BigInt(cost)),
  };
}

const sizes = (max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits }));

test("property: it answers what arithmetic without end answers, up to the largest counts and windows", () => {
  const situations = fc.record({
    limit: sizes(50).map((limit) => Math.max(1, limit)),
    window: sizes(41).map((window) => Math.max(1, window)),
    current: sizes(51),
    previous: sizes(51),
    share: fc.double({ min: 0, max: 2, maxExcluded: true, noNaN: true }),
    cost: sizes(31).map((cost) => Math.max(1, cost)),
  });
  fc.assert(
    fc.property(situations, ({ limit, window, current, previous, share, cost }) => {
      const start = 3 * window;
      const now = start + Math.floor(share * window);
      const state = stateOf(
        policyOf("sliding-window-counter", { limit, window }),
        Float64Array.of(start, current, previous),
      );
      for (const each of [cost, Math.min(limit, MAX_COST)]) {
        expect(state.look(now, each)).toEqual(bigLook(limit, window, [start, current, previous], now, each));
      }
    }),
    { numRuns: 3_000 },
  );
});

test("counts saturate", () => {
  const policy = policyOf("sliding-window-counter", { limit: 2 ** 50, window: 2 ** 41 });
  const state = stateOf(policy, Float64Array.of(0, MAX_COUNT - 3, MAX_COUNT));
  state.charge(0, MAX_COST);
  expect(state.read(0).current).toBe(MAX_COUNT);
  expect(state.read(0).used).toBe(2 * MAX_COUNT);
  expect(state.look(0, MAX_COST)).toEqual({
    allowed: false,
    remaining: 0,
    resetMs: 2 ** 42,
    retryAfterMs: expect.any(Number) as number,
  });
});
