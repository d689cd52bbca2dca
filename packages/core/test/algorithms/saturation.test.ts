import { MAX_COST, MAX_COUNT } from "../../src/algorithms/algorithm.ts";
import { algorithmOf } from "../../src/algorithms/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { BUCKET_ALGORITHMS, START } from "../support/arbitraries.ts";
import { policyOf, stateOf } from "../support/state.ts";

test("a fixed window's count saturates", () => {
  const state = stateOf(
    policyOf("fixed-window", { limit: 2 ** 50, window: 2 ** 41 }),
    Float64Array.of(0, MAX_COUNT - 3),
  );
  state.charge(7, MAX_COST);
  expect(state.read(7).used).toBe(MAX_COUNT);
  state.refund(7, 0, MAX_COST);
  expect(state.read(7).used).toBe(MAX_COUNT - MAX_COST);
});

for (const algorithm of BUCKET_ALGORITHMS) {
  test(`${algorithm}: debt ends at one capacity, and a charge never lowers what stands`, () => {
    const state = stateOf(policyOf(algorithm, { limit: 10, window: 1_000, burst: 4 }));
    for (let i = 0; i < 3; i++) {
      state.charge(START, MAX_COST);
      expect(state.look(START).resetMs).toBe(800);
    }
    // The debt was made under a larger burst than the one in force now.
    const smaller = stateOf(policyOf(algorithm, { limit: 10, window: 1_000, burst: 3 }), state.cells().slice());
    smaller.charge(START, 1);
    expect(smaller.look(START).resetMs).toBe(800);
  });

  test(`${algorithm}: the dearest cost is refused before it is multiplied, the dearest charge is not rounded into credit`, () => {
    const numbers =
      algorithm === "gcra"
        ? { limit: 4_000, window: 4_001, burst: 2 ** 30 }
        : { limit: 7, window: 2 ** 21, burst: 2 ** 30 };
    const policy = policyOf(algorithm, numbers);
    const state = stateOf(policy);
    expect(state.consume(START, MAX_COST)).toBeUndefined();
    expect(state.consume(START, 2 ** 30)).toBeDefined();
    state.charge(START, MAX_COST);
    state.charge(START, MAX_COST);
    const { remaining, resetMs } = state.look(START);
    expect(remaining).toBe(0);
    expect(resetMs).toBe(
      Number((2n * 2n ** 30n * BigInt(numbers.window) + BigInt(numbers.limit) - 1n) / BigInt(numbers.limit)),
    );
  });
}

test("a used bucket under a limit of 0 is never stale, since nothing drains from it", () => {
  const ten = stateOf(policyOf("token-bucket", { limit: 10, window: 1_000 }));
  ten.charge(START, 4);
  expect(stateOf(policyOf("token-bucket", { limit: 0, window: 1_000 }), ten.cells().slice()).staleAt()).toBe(Infinity);
});

test("states are as wide as their algorithm says, and each algorithm is one frozen table", () => {
  for (const algorithm of ALGORITHMS) {
    const table = algorithmOf(algorithm);
    expect(Object.isFrozen(table)).toBe(true);
    const state = stateOf(policyOf(algorithm, { limit: 3, window: 1_000 }));
    state.consume(START, 2);
    if (table.width > 0) expect(state.cells()).toHaveLength(table.width);
  }
});

test("states lie side by side in one array", () => {
  for (const algorithm of ALGORITHMS) {
    const { width, read, admits, take, write, refund, staleAt, remaining } = algorithmOf(algorithm);
    if (width === 0) continue;
    const policy = policyOf(algorithm, { limit: 5, window: 1_000 });
    const cells = new Float64Array(3 * width);
    const reading = stateOf(policy).read(START);
    read(policy, cells, width, START, reading);
    expect(admits(policy, reading, 3)).toBe(true);
    take(policy, reading, 3);
    expect(write(policy, reading, cells, width)).toBe(cells);
    expect(cells.filter((cell, i) => cell !== 0 && Math.floor(i / width) !== 1)).toHaveLength(0);
    read(policy, cells, width, START, reading);
    expect(remaining(policy, reading)).toBe(2);
    expect(staleAt(policy, cells, width)).toBeGreaterThan(START);
    refund(policy, cells, width, START, algorithmOf(algorithm).receipt(reading), 1);
    read(policy, cells, width, START, reading);
    expect(remaining(policy, reading)).toBe(3);
    expect(staleAt(policy, cells, 0)).toBe(0);
  }
});

test("what is reported after a charge is what is read afterwards", () => {
  for (const algorithm of ALGORITHMS) {
    const { owe, write, remaining, resetMs } = algorithmOf(algorithm);
    const policy = policyOf(algorithm, { limit: 10, window: 1_000 });
    const state = stateOf(policy);
    state.consume(START, 3);
    const reading = state.read(START + 700);
    owe(policy, reading, 5);
    const cells = write(policy, reading, state.cells(), 0);
    const { allowed: _, retryAfterMs: __, ...reported } = stateOf(policy, cells).look(START + 700);
    expect({ remaining: remaining(policy, reading), resetMs: resetMs(policy, reading, cells, 0) }).toEqual(reported);
  }
});
