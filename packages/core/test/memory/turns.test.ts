import { createLimiter, memoryStore } from "../../src/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";

const EXPIRED = 500_000;
/** Of one turn: a busy server reads about so many sockets at once. */
const REQUESTS = 20;
const LONGEST_MS = 20;

// The secret of the hash decides what stands where, and so what is done in which turn; here all runs have the same one.
jest.mock("node:crypto", () => ({
  ...jest.requireActual<object>("node:crypto"),
  randomFillSync(factors: Int32Array) {
    let state = 1;
    return factors.map((_, index) => (factors[index] = state = Math.imul(state, 1_664_525) + 1_013_904_223));
  },
}));

afterEach(() => {
  jest.useRealTimers();
});

/** Lets half a million states expire, and measures each turn of the loop from then on until they are gone: its CPU time in ms. */
function turnsOfHouseKeeping(): number[] {
  jest.useFakeTimers();
  const clock = manualClock();
  const store = memoryStore({ clock });
  const limiter = createLimiter({ store, policies: [{ name: "p", limit: "10/second" }] });
  for (let key = 0; key < EXPIRED; key++) limiter.consume(`expired ${key}`);
  expect(store.size).toBe(EXPIRED);
  clock.advance(10_000);
  const turns: number[] = [];
  const measure = (turn: () => void): void => {
    const before = process.cpuUsage();
    turn();
    const { user, system } = process.cpuUsage(before);
    turns.push((user + system) / 1_000);
  };
  let fresh = 0;
  while (store.size > fresh) {
    measure(() => {
      for (let request = 0; request < REQUESTS; request++) limiter.consume(`fresh ${fresh++}`);
    });
    measure(() => jest.advanceTimersToNextTimer());
  }
  void limiter.close();
  return turns;
}

test("A50 while 500,000 expired states are swept under traffic, no turn of the event loop takes 20 ms", () => {
  // CPU rather than time, for the machine may be busy. What compiles or collects garbage meanwhile is CPU too, and
  // comes anywhere; what house-keeping does comes in the same turn of each run. So a turn is as long as its best.
  const runs = [turnsOfHouseKeeping(), turnsOfHouseKeeping(), turnsOfHouseKeeping()];
  const [first = []] = runs;
  expect(runs.map((turns) => turns.length)).toEqual(runs.map(() => first.length));
  const best = first.map((_, turn) => Math.min(...runs.map((turns) => turns[turn] ?? NaN)));
  expect(Math.max(...best)).toBeLessThan(LONGEST_MS);
  // And there are many of them: no turn does a large part of it all.
  expect(best.length).toBeGreaterThan(100);
});
