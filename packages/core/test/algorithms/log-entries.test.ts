import fc from "fast-check";
import { append, growth, isEmpty, mark, postponeNewest } from "../../src/algorithms/log-entries.ts";
import { START } from "../support/arbitraries.ts";
import { policyOf, stateOf } from "../support/state.ts";

test("an array that has become too large shrinks around what still counts, and loses nothing", () => {
  for (let left = 1; left <= 8; left++) {
    const policy = policyOf("sliding-window-log", { limit: 1_000, window: 1_000 });
    const state = stateOf(policy);
    for (let i = 0; i < 100; i++) state.consume(START + i, 1);
    const now = START + 1_000 + 99 - left;
    expect(state.look(now).remaining).toBe(1_000 - left);
    state.consume(now, 3);
    expect(state.cells().length).toBeLessThan(2 * 40);
    expect(state.look(now).remaining).toBe(1_000 - left - 3);
    expect(state.look(now).resetMs).toBe(1_000);
    state.consume(now + 1, 5);
    expect(state.look(now + 1).remaining).toBe(1_000 - (left - 1) - 8);
  }
});

test("property: the growth foretold is the growth that comes", () => {
  const steps = fc.array(
    fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat({ max: 5 }), fc.nat({ max: 150 })),
      cost: fc.integer({ min: 1, max: 5 }),
    }),
    { maxLength: 200, size: "max" },
  );
  fc.assert(
    fc.property(steps, (each) => {
      const state = stateOf(policyOf("sliding-window-log", { limit: 1_000_000, window: 100 }));
      let now = START;
      for (const { wait, cost } of each) {
        now += wait;
        const { first, time } = state.read(now);
        const before = state.cells();
        const foretold = growth(before, first, time);
        state.charge(now, cost);
        expect(state.cells().length - before.length).toBe(foretold);
      }
    }),
    { numRuns: 100 },
  );
});

test("the first entry is foretold too, for no cells at all and for zeros", () => {
  expect(growth(new Float64Array(0), 0, START)).toBe(append(new Float64Array(0), 0, START, 1).length);
  const zeros = new Float64Array(7);
  expect(growth(zeros, 0, START)).toBe(0);
  expect(append(zeros, 0, START, 1)).toBe(zeros);
});

test("the newest entry can be postponed, and what is charged then joins it instead of growing", () => {
  const policy = policyOf("sliding-window-log", { limit: 10, window: 1_000 });
  const state = stateOf(policy);
  state.consume(START, 2);
  state.consume(START + 10, 3);
  expect(growth(state.cells(), 0, START + 500)).toBeGreaterThan(0);
  postponeNewest(state.cells(), START + 500);
  expect(mark(state.cells())).toBe(START + 500);
  expect(growth(state.cells(), 0, START + 500)).toBe(0);
  state.consume(START + 500, 1);
  expect(state.look(START + 500).remaining).toBe(4);
  expect(state.look(START + 1_000).remaining).toBe(6);
  expect(state.look(START + 1_499).remaining).toBe(6);
  expect(state.look(START + 1_500).remaining).toBe(10);
});

test("there is nothing to postpone in an empty log", () => {
  const cells = new Float64Array(7);
  postponeNewest(cells, START);
  expect(isEmpty(cells)).toBe(true);
  expect([...cells]).toEqual([0, 0, 0, 0, 0, 0, 0]);
});
