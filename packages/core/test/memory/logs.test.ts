import fc from "fast-check";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { consume, peek, policyOf } from "./policy-of.ts";

const policy = policyOf({ algorithm: "sliding-window-log", limit: 100_000, window: 60_000 });

function entriesOf(store: ReturnType<typeof memoryStore>, stateKey: string): number {
  return store.inspect([{ policy, stateKey, cost: 0 }])[0]?.entries ?? 0;
}

describe("the sliding logs of a memory store", () => {
  test("hold no more entries together than maxLogEntries", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxLogEntries: 1_000 });
    for (let i = 0; i < 5_000; i++) {
      for (const key of ["a", "b", "c"]) consume(store, policy, key);
      clock.advance(1);
    }
    expect(["a", "b", "c"].reduce((sum, key) => sum + entriesOf(store, key), 0)).toBeLessThanOrEqual(1_000);
    store.close();
  });

  test("lose no unit: one that may have no entry of its own counts with its neighbours", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxLogEntries: 1_000 });
    for (let i = 0; i < 5_000; i++) {
      consume(store, policy, "alone");
      clock.advance(1);
    }
    expect(entriesOf(store, "alone")).toBeLessThanOrEqual(1_000);
    expect(entriesOf(store, "alone")).toBeGreaterThan(500);
    expect(peek(store, policy, "alone").remaining).toBe(95_000);
    store.close();
  });

  test("property: that may not grow reject early, never late", () => {
    const step = fc.record({ wait: fc.nat({ max: 40 }), cost: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1_200, maxLength: 1_600 }), (steps) => {
        const clock = manualClock();
        const store = memoryStore({ clock, maxLogEntries: 1_000 });
        const exact = referenceStore(clock);
        const small = policyOf({ algorithm: "sliding-window-log", limit: 2_200, window: 30_000 });
        for (const { wait, cost } of steps) {
          clock.advance(wait);
          const check = { policy: small, stateKey: "somebody", cost };
          if (store.consume([check]).allowed) expect(exact.consume([check]).allowed).toBe(true);
        }
        store.close();
      }),
      { numRuns: 8 },
    );
  });

  test("evict others to grow, those with the most left, and none that is at its limit", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxLogEntries: 1_000 });
    const limited = policyOf({ name: "limited", algorithm: "sliding-window-log", limit: 1, window: 600_000 });
    for (let i = 0; i < 50; i++) consume(store, limited, `limited-${i}`);
    for (let i = 0; i < 200; i++) consume(store, policy, `idle-${i}`);
    for (let i = 0; i < 900; i++) {
      consume(store, policy, "busy");
      clock.advance(1);
    }
    expect(peek(store, policy, "busy").remaining).toBe(99_100);
    expect(store.size).toBeLessThan(251);
    for (let i = 0; i < 50; i++) expect(consume(store, limited, `limited-${i}`).allowed).toBe(false);
    store.close();
  });

  test("share states when all of them are at their limit, and these do not grow without end either", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxLogEntries: 1_000 });
    const limited = policyOf({ algorithm: "sliding-window-log", limit: 3, window: 600_000 });
    for (let i = 0; i < 20_000; i++) {
      consume(store, limited, `key-${i}`, 3);
      clock.advance(1);
    }
    expect(store.size).toBeLessThanOrEqual(300);
    for (let i = 0; i < 20; i++) expect(consume(store, limited, `key-${i}`).allowed).toBe(false);
    store.close();
  });

  test("are let go with their entries when they are reset or stale", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxLogEntries: 1_000, maxKeys: 5 });
    for (let round = 0; round < 50; round++) {
      for (let i = 0; i < 400; i++) {
        consume(store, policy, "somebody");
        clock.advance(1);
      }
      expect(entriesOf(store, "somebody")).toBe(400);
      store.reset([{ policy, stateKey: "somebody", cost: 0 }]);
    }
    store.close();
  });
});
