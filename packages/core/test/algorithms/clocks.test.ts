import { ALGORITHMS, type AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import { WINDOW_ALGORITHMS } from "../support/arbitraries.ts";
import { policyOf, stateOf, type State } from "../support/state.ts";

/** The start of a window of 1,000 ms; 10 units each, that a bucket of 10 takes 1,000 ms to regain. */
const EDGE = 1_700_000_000_000;
const NUMBERS = { limit: 10, window: 1_000 };

/** A state that was charged 4 units at `now`. */
function charged(algorithm: AlgorithmName, now: number): { policy: ResolvedPolicy; state: State; receipt: number } {
  const policy = policyOf(algorithm, NUMBERS);
  const state = stateOf(policy);
  return { policy, state, receipt: state.consume(now, 4) as number };
}

for (const algorithm of ALGORITHMS) {
  if (algorithm === "gcra") continue;
  test(`${algorithm}: a mark one span ahead is believed, one further ahead is not`, () => {
    const { state, receipt } = charged(algorithm, EDGE);
    expect(state.look(EDGE - 1_000).remaining).toBe(6);
    expect(state.look(EDGE - 1_001)).toEqual({ allowed: true, remaining: 10, resetMs: 0, retryAfterMs: 0 });
    state.refund(EDGE - 1_001, receipt, 1);
    expect(state.look(EDGE).remaining).toBe(6);
    state.refund(EDGE - 1_000, receipt, 1);
    expect(state.look(EDGE).remaining).toBe(7);
  });

  test(`${algorithm}: while the clock is behind the mark, time stands still there`, () => {
    const { state } = charged(algorithm, EDGE);
    const { resetMs } = state.look(EDGE);
    expect(state.look(EDGE - 600)).toEqual({ allowed: true, remaining: 6, resetMs: resetMs + 600, retryAfterMs: 0 });
    state.consume(EDGE - 600, 6);
    expect(state.look(EDGE)).toEqual({
      ...state.look(EDGE - 600),
      resetMs: expect.any(Number),
      retryAfterMs: expect.any(Number),
    });
    expect(state.look(EDGE - 600).retryAfterMs).toBe(state.look(EDGE).retryAfterMs + 600);
  });

  test(`${algorithm}: what is not credible is replaced by the next charge`, () => {
    const { state } = charged(algorithm, EDGE);
    expect(state.consume(EDGE - 5_000, 1)).toBeDefined();
    expect(state.look(EDGE - 5_000).remaining).toBe(9);
    expect(state.look(EDGE).remaining).toBe(10);
  });
}

test("gcra: a number three spans ahead is believed, one further ahead is not", () => {
  const policy = policyOf("gcra", NUMBERS);
  const state = stateOf(policy);
  state.consume(EDGE, 10);
  expect(state.look(EDGE - 2_000)).toEqual({ allowed: false, remaining: 0, resetMs: 3_000, retryAfterMs: 2_100 });
  expect(state.look(EDGE - 2_001)).toEqual({ allowed: true, remaining: 10, resetMs: 0, retryAfterMs: 0 });
  state.refund(EDGE - 2_001, EDGE, 10);
  expect(state.look(EDGE).remaining).toBe(0);
});

test.each([
  ["token-bucket", 1_000],
  ["gcra", 1_000],
  ["leaky-bucket", 1_000],
  ["fixed-window", 1_000],
  ["sliding-window-log", 1_000],
  ["sliding-window-counter", 2_000],
] as const)("%s: a charge can be given back until %p ms after it", (algorithm, ms) => {
  const cells = (after: number): number[] => {
    const { state, receipt } = charged(algorithm, EDGE);
    // What was charged since, so that something is there to be given back.
    state.consume(EDGE + after, 3);
    state.refund(EDGE + after, receipt, 2);
    return [...state.cells()];
  };
  const unrefunded = (after: number): number[] => {
    const { state } = charged(algorithm, EDGE);
    state.consume(EDGE + after, 3);
    return [...state.cells()];
  };
  expect(cells(ms - 1)).not.toEqual(unrefunded(ms - 1));
  expect(cells(ms)).toEqual(unrefunded(ms));
});

test.each(ALGORITHMS)("%s: a refund that comes too late stays void when the clock steps back", (algorithm) => {
  const { policy, state, receipt } = charged(algorithm, EDGE);
  const ms = algorithm === "sliding-window-counter" ? 2 * policy.window : policy.window;
  const before = [...state.cells()];
  state.refund(EDGE + ms, receipt, 2);
  expect([...state.cells()]).toEqual(before);
});

test.each(WINDOW_ALGORITHMS)(
  "%s: a window that was given back entirely is stale with its end, an entry at once",
  (algorithm) => {
    const { state, receipt } = charged(algorithm, EDGE);
    state.refund(EDGE, receipt, 4);
    expect(state.staleAt()).toBe(algorithm === "sliding-window-log" ? 0 : EDGE + 1_000);
  },
);

test("the counter: what only the window before holds is stale with the end of the current one", () => {
  const { state } = charged("sliding-window-counter", EDGE);
  const receipt = state.consume(EDGE + 1_500, 1) as number;
  expect(state.staleAt()).toBe(EDGE + 3_000);
  state.refund(EDGE + 1_500, receipt, 1);
  expect(state.staleAt()).toBe(EDGE + 2_000);
});

test("the log: entries that a charge found out of the window are gone for good, and so is the mark of one given back", () => {
  const policy = policyOf("sliding-window-log", NUMBERS);
  const state = stateOf(policy);
  state.consume(EDGE, 4);
  state.consume(EDGE + 500, 1);
  const receipt = state.consume(EDGE + 1_000, 2) as number;
  state.refund(EDGE + 1_000, receipt, 2);
  expect(state.read(EDGE).time).toBe(EDGE + 500);
  expect(state.look(EDGE + 600).remaining).toBe(9);
});

test("a limit of 0 counts nothing and divides by nothing", () => {
  for (const algorithm of ALGORITHMS) {
    const state = stateOf(policyOf(algorithm, { limit: 0, window: 1_000 }));
    expect(state.staleAt()).toBe(0);
    expect(state.look(EDGE)).toEqual({ allowed: false, remaining: 0, resetMs: 0, retryAfterMs: Infinity });
    state.charge(EDGE, 5);
    expect(state.look(EDGE)).toEqual({ allowed: false, remaining: 0, resetMs: 0, retryAfterMs: Infinity });
    expect(state.staleAt()).not.toBeNaN();
  }
});
