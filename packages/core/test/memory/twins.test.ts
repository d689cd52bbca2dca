import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { consume, peek, policyOf } from "./policy-of.ts";

describe.each(ALGORITHMS)("two checks of one call on the same state of %s", (algorithm) => {
  const policy = policyOf({ algorithm, limit: 10 });
  const twins = (...costs: number[]) => costs.map((cost) => ({ policy, stateKey: "somebody", cost }));

  test("are decided in order: the second sees the first", () => {
    const store = memoryStore({ clock: manualClock() });
    const reply = store.consume(twins(3, 4, 0));
    expect(reply.allowed).toBe(true);
    expect(reply.policies.map(({ remaining }) => remaining)).toEqual([7, 3, 3]);
    expect(peek(store, policy, "somebody").remaining).toBe(3);
  });

  test("are charged together or not at all, also where the state is old", () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    consume(store, policy, "somebody", 2);
    clock.advance(1);
    const before = peek(store, policy, "somebody");
    const reply = store.consume(twins(5, 4));
    expect(reply.allowed).toBe(false);
    expect(reply.policies.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(reply.policies[1]?.retryAfterMs).toBeGreaterThan(0);
    expect(peek(store, policy, "somebody")).toEqual(before);
  });

  test("wait as long as is needed for both", () => {
    const clock = manualClock();
    const store = memoryStore({ clock });
    consume(store, policy, "somebody", 8);
    clock.advance(1);
    const { retryAfterMs } = store.consume(twins(1, 2)).policies[1]!;
    clock.advance(retryAfterMs);
    expect(store.consume(twins(1, 2)).allowed).toBe(true);
  });

  test("give back what each was charged", () => {
    const store = memoryStore({ clock: manualClock() });
    const { policies } = store.consume(twins(3, 4));
    store.refund(policies.map(({ cost, receipt }) => ({ policy, stateKey: "somebody", cost, receipt: receipt! })));
    expect(peek(store, policy, "somebody").remaining).toBe(10);
  });
});
