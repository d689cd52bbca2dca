import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { createLimiter } from "../../src/limiter/create-limiter.ts";
import type { StoreErrorPolicy } from "../../src/domain/policy.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import type { LimiterEvent } from "../../src/observe/events.ts";
import { manualClock, type ManualClock } from "../../src/testing/manual-clock.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

const BAD_COSTS = [-1, 1.5, NaN, Infinity, 2 ** 31 + 1, "1", null, true, {}, 1n];

function limiterOf(onStoreError: StoreErrorPolicy, more: object = {}) {
  const events: LimiterEvent[] = [];
  const limiter = createLimiter({
    store: referenceStore(manualClock()),
    policies: [{ name: "p", limit: "10/minute" }],
    dearestCost: 4,
    onStoreError,
    onEvent: (event) => events.push(event),
    ...more,
  });
  const left = () => limiter.peek("k").policies[0]?.remaining;
  return { limiter, events, left };
}

describe.each(BAD_COSTS.map((cost) => [cost]))("a cost of %p", (cost) => {
  test('counts as the dearest under "local"', () => {
    const { limiter, events, left } = limiterOf("local");
    expect(limiter.consume("k", cost as never)).toMatchObject({ allowed: true, source: "store" });
    expect(left()).toBe(6);
    expect(events).toMatchObject([{ type: "bad-cost", limiter: "default", policy: "p" }]);
  });

  test("is denied under \"deny\", as the limiter's failure and not the caller's", () => {
    const { limiter, left } = limiterOf("deny");
    expect(limiter.consume("k", cost as never)).toMatchObject({
      allowed: false,
      reason: "store-unavailable",
      source: "fail-closed",
      retryAfterMs: 1_000,
    });
    expect(left()).toBe(10);
  });

  test('is admitted uncounted under "allow", with an event', () => {
    const { limiter, events, left } = limiterOf("allow");
    expect(limiter.consume("k", cost as never).allowed).toBe(true);
    expect(left()).toBe(10);
    expect(events).toHaveLength(1);
  });

  test("charges, refunds and settles nothing", () => {
    const { limiter, events, left } = limiterOf("local");
    const decision = limiter.consume("k", 2) as never;
    limiter.charge("k", cost as never);
    limiter.refund(decision, cost as never);
    limiter.settle(decision, cost as never);
    expect(left()).toBe(8);
    expect(events.map(({ type }) => type)).toEqual(["bad-cost", "bad-cost", "bad-cost"]);
  });
});

describe("a limit function that fails", () => {
  const FAILURES: readonly (readonly [string, () => unknown])[] = [
    [
      "throws",
      () => {
        throw new Error("no plan");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no plan"))],
    ["never answers", () => new Promise(() => {})],
    ["returns nothing", () => undefined],
    ["returns a string that is no rate", () => "lots"],
    ["returns NaN", () => NaN],
    ["returns a negative number", () => -5],
    ["promises a fraction", () => Promise.resolve(1.5)],
  ];

  describe.each(FAILURES)("because it %s", (_, limit) => {
    test("is replaced by fallbackLimit, with an event", async () => {
      const { limiter, events } = limiterOf("allow", {
        limitTimeoutMs: 20,
        policies: [{ name: "p", limit, window: "1m", fallbackLimit: 1 }],
      });
      expect((await limiter.consume("k")).allowed).toBe(true);
      expect(await limiter.consume("k")).toMatchObject({ allowed: false, reason: "quota" });
      expect(events.map(({ type }) => type)).toEqual(["limit-failed", "limit-failed"]);
    });

    test.each([
      ["allow", true],
      ["deny", false],
      ["local", false],
    ] as const)("follows onStoreError %p without one", async (onStoreError, allowed) => {
      const { limiter, events } = limiterOf(onStoreError, {
        limitTimeoutMs: 20,
        policies: [{ name: "p", limit, window: "1m" }],
      });
      expect((await limiter.consume("k")).allowed).toBe(allowed);
      expect(events).toHaveLength(1);
    });

    test("is no affair of the caller's when the policy is a shadow", async () => {
      const { limiter } = limiterOf("deny", {
        limitTimeoutMs: 20,
        policies: [{ name: "p", limit, window: "1m", mode: "shadow" }],
      });
      expect((await limiter.consume("k")).allowed).toBe(true);
    });
  });
});

test("a listener that throws breaks no decision", () => {
  const { limiter } = limiterOf("local", {
    onEvent: () => {
      throw new Error("listener");
    },
  });
  expect((limiter.consume("k", NaN) as { allowed: boolean }).allowed).toBe(true);
});

describe.each([
  ["the memory store", (clock: ManualClock) => memoryStore({ clock })],
  ["the reference store", referenceStore],
] as const)("%s", (_, createStore) => {
  test.each(ALGORITHMS)("A09 a limit of 0 admits nothing, given by number, rate or function (%s)", (algorithm) => {
    for (const limit of [{ limit: 0, window: 60_000 }, { limit: "0/minute" }, { limit: () => 0, window: 60_000 }]) {
      const limiter = createLimiter({
        store: createStore(manualClock()),
        policies: [{ name: "p", algorithm, ...limit }],
      });
      expect(limiter.consume("k")).toMatchObject({
        allowed: false,
        reason: "cost-above-limit",
        retryAfterMs: Infinity,
        binding: { limit: 0, capacity: 0, remaining: 0, resetMs: 0 },
      });
      void limiter.close();
    }
  });
});
