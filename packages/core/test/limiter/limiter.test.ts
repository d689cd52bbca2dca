import { createLimiter } from "../../src/limiter/create-limiter.ts";
import type { Policy } from "../../src/domain/policy.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

const clock = manualClock();
let names = 0;

function limiterOf(policies: readonly Policy[]) {
  return createLimiter({ name: `test-${names++}`, store: referenceStore(clock), policies: policies as never });
}

describe("a decision", () => {
  test("names what decided: the smallest share left when admitted, the longest wait when denied", () => {
    const limiter = limiterOf([
      { name: "minute", limit: "10/minute", algorithm: "fixed-window" },
      { name: "hour", limit: "12/hour", algorithm: "fixed-window" },
    ]);
    clock.set(1_699_920_000_000);
    expect(limiter.consume("k", 9).binding?.name).toBe("minute");
    clock.advance(60_000);
    const denied = limiter.consume("k", 4);
    expect(denied).toMatchObject({ allowed: false, reason: "quota", retryAfterMs: 3_540_000, source: "store" });
    expect(denied.binding?.name).toBe("hour");
    expect(denied.policies.map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  test("A36 a denial by one policy leaves the others' quota alone", () => {
    const limiter = limiterOf([
      { name: "user", limit: "2/minute" },
      { name: "global", limit: "10/minute" },
    ]);
    const ask = (user: string) => limiter.consume({ user, global: "all" }).allowed;
    expect(Array.from({ length: 20 }, () => ask("A")).filter(Boolean)).toHaveLength(2);
    expect(Array.from({ length: 9 }, () => ask("B"))).toEqual([true, true, ...Array<boolean>(7).fill(false)]);
    expect(limiter.peek({ user: "C", global: "all" }).policies[1]?.remaining).toBe(6);
    expect(ask("C") && ask("C")).toBe(true);
  });

  test("A52 a cost above the capacity is final and takes nothing", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    expect(limiter.consume("k", 11)).toMatchObject({
      allowed: false,
      reason: "cost-above-limit",
      retryAfterMs: Infinity,
    });
    expect(limiter.consume("k").policies[0]?.remaining).toBe(9);
  });

  test("A53 a cost of 0 is a look, not a hit", () => {
    const limiter = limiterOf([{ name: "p", limit: "3/minute" }]);
    expect([0, 0, 3, 0].map((cost) => limiter.consume("k", cost).policies[0]?.remaining)).toEqual([3, 3, 0, 0]);
    expect(limiter.consume("k", 0).allowed).toBe(true);
  });

  test("a shadow policy decides and reports, and is no part of the answer", () => {
    const limiter = limiterOf([
      { name: "live", limit: "5/minute" },
      { name: "stricter", limit: "1/minute", mode: "shadow" },
    ]);
    limiter.consume("k");
    const second = limiter.consume("k");
    expect(second).toMatchObject({ allowed: true, reason: "admitted", retryAfterMs: 0 });
    expect(second.binding?.name).toBe("live");
    expect(second.policies[1]).toMatchObject({ shadow: true, allowed: false });
  });

  test("one of only shadows admits and is described by none", () => {
    const limiter = limiterOf([{ name: "stricter", limit: "0/minute", mode: "shadow" }]);
    expect(limiter.consume("k")).toMatchObject({ allowed: true, binding: undefined });
  });
});

describe("keys", () => {
  test("A20 and A21: every text is a key of its own, names of properties included", () => {
    const limiter = limiterOf([{ name: "p", limit: "1/minute" }]);
    const keys = [
      "__proto__",
      "constructor",
      "toString",
      "a:b",
      "a/b",
      "a",
      "#",
      "##",
      "\u0000",
      "\ud800",
      "\udfff",
      "ñ",
      "x".repeat(128),
      "x".repeat(129),
      "x".repeat(100_000),
    ];
    for (const key of keys) expect([key.length, limiter.consume(key).allowed]).toEqual([key.length, true]);
    for (const key of keys) expect([key.length, limiter.consume(key).allowed]).toEqual([key.length, false]);
  });

  test.each([[undefined], [null], [""], [42], [{ p: undefined }], [{ p: "" }], [{ q: "a key" }], [{}], [["a"]]])(
    "%j is refused with an error that says so",
    (keys) => {
      const limiter = limiterOf([{ name: "p", limit: "1/minute" }]);
      expect(() => limiter.consume(keys as never)).toThrow(expect.objectContaining({ code: "ERR_AFORO_INVALID_KEY" }));
    },
  );

  test("null says that a policy does not apply", () => {
    const limiter = limiterOf([
      { name: "a", limit: "1/minute" },
      { name: "b", limit: "1/minute" },
    ]);
    expect(limiter.consume({ a: "k", b: null }).policies.map(({ name }) => name)).toEqual(["a"]);
    expect(limiter.consume({ a: null, b: "k" }).allowed).toBe(true);
  });
});

describe("after a decision", () => {
  test("refund gives back what is left of the charge, and no more", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    const decision = limiter.consume("k", 4);
    limiter.refund(decision, 1);
    limiter.refund(decision, 100);
    limiter.refund(decision);
    limiter.consume("k", 2);
    expect(limiter.peek("k").policies[0]?.remaining).toBe(8);
  });

  test("settle takes or gives the difference to what the request cost in the end", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    const decision = limiter.consume("k", 4);
    const left = () => limiter.peek("k").policies[0]?.remaining;
    limiter.settle(decision, 1);
    expect(left()).toBe(9);
    limiter.settle(decision, 7);
    expect(left()).toBe(3);
    limiter.settle(decision, 7);
    expect(left()).toBe(3);
    limiter.settle(decision, 200);
    expect(left()).toBe(0);
  });

  test("raise replaces the charge; a denied raise leaves it given back", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    const first = limiter.consume("k", 1);
    const raised = limiter.raise(first, 8);
    expect(raised).toMatchObject({ allowed: true });
    expect(raised.policies[0]?.remaining).toBe(2);
    limiter.refund(first);
    expect(limiter.peek("k").policies[0]?.remaining).toBe(2);
    expect(limiter.raise(raised, 11).allowed).toBe(false);
    expect(limiter.peek("k").policies[0]?.remaining).toBe(10);
  });

  test("raiseEach asks further policies and keeps the charges of those it leaves out", () => {
    const limiter = limiterOf([
      { name: "a", limit: "10/minute" },
      { name: "b", limit: "10/minute" },
    ]);
    const first = limiter.consumeEach([{ policy: 0, key: "k", cost: 1 }]);
    const second = limiter.raiseEach(first, [{ policy: 1, key: "k", cost: 5 }]);
    const left = () => limiter.peek("k").policies.map(({ remaining }) => remaining);
    expect(left()).toEqual([9, 5]);
    limiter.refund(second);
    expect(left()).toEqual([10, 10]);
  });

  test("a key that counts by its digest can be raised and refunded", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    const long = "x".repeat(500);
    const raised = limiter.raise(limiter.consume(long, 1), 5);
    expect(limiter.peek(long).policies[0]?.remaining).toBe(5);
    limiter.refund(raised);
    expect(limiter.peek(long).policies[0]?.remaining).toBe(10);
  });

  test("a decision of another limiter is refused", () => {
    const one = limiterOf([{ name: "p", limit: "10/minute" }]);
    const other = limiterOf([{ name: "p", limit: "10/minute" }]);
    const decision = one.consume("k");
    for (const wrong of [decision, { ...decision }, undefined, {}, "decision"]) {
      expect(() => other.refund(wrong as never)).toThrow(
        expect.objectContaining({ code: "ERR_AFORO_INVALID_DECISION" }),
      );
    }
  });
});

describe("operators", () => {
  test("block denies whatever the quota until it ends, and 0 lifts it", () => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    limiter.block("k", 90_000);
    expect(limiter.consume("k")).toMatchObject({ allowed: false, reason: "blocked", retryAfterMs: 90_000 });
    expect(limiter.consume("k").explain()).toContain("blocked for another 90 seconds");
    clock.advance(89_999);
    expect(limiter.consume("k").retryAfterMs).toBe(1);
    clock.advance(1);
    expect(limiter.consume("k").allowed).toBe(true);
    limiter.block("k", 90_000);
    limiter.block("k", 0);
    expect(limiter.consume("k").allowed).toBe(true);
  });

  test.each([[-1], [1.5], [NaN], ["1h"], [2 ** 42]])("a block of %p is refused", (ms) => {
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    if (ms === "1h") expect(() => limiter.block("k", ms as never)).not.toThrow();
    else
      expect(() => limiter.block("k", ms as never)).toThrow(
        expect.objectContaining({ code: "ERR_AFORO_INVALID_DURATION" }),
      );
  });

  test("reset forgets a key under every window that a limit function has given", () => {
    let limit = "1/minute";
    const limiter = limiterOf([{ name: "p", limit: () => limit }]);
    limiter.consume("k");
    limit = "1/hour";
    limiter.consume("k");
    limiter.reset("k");
    expect(limiter.consume("k").allowed).toBe(true);
    limit = "1/minute";
    expect(limiter.consume("k").allowed).toBe(true);
  });

  test("explain says what is used and what is left", () => {
    clock.set(1_699_920_030_000);
    const limiter = limiterOf([{ name: "p", limit: "10/minute" }]);
    expect(limiter.explain("k")).toBe(
      'Policy "p" (10 per 1 minute, sliding-window-counter): nothing is used; all 10 are left.',
    );
    limiter.consume("k", 4);
    expect(limiter.explain("k")).toContain("4 of the window that began 30 seconds ago");
    expect(limiter.explain("k")).toContain("6 of 10 left");
  });
});

describe("a limiter of an asynchronous store", () => {
  test("gives promises, and the same numbers", async () => {
    const limiter = createLimiter({
      store: promisedStore(referenceStore(clock)),
      policies: [{ name: "p", limit: "2/minute" }],
    });
    const decisions = await Promise.all([limiter.consume("k"), limiter.consume("k"), limiter.consume("k")]);
    expect(decisions.map(({ allowed }) => allowed)).toEqual([true, true, false]);
    await limiter.refund(decisions[0]);
    expect((await limiter.peek("k")).policies[0]?.remaining).toBe(1);
    expect(await limiter.explain("k")).toContain("1 of 2 left");
    await limiter.reset("k");
    await limiter.block("k", 1_000);
    expect((await limiter.consume("k")).reason).toBe("blocked");
    await limiter.close();
  });
});

describe("limits given by functions", () => {
  test("A14 an asynchronous one makes the answer a promise with numbers", async () => {
    const limiter = createLimiter({
      name: `test-${names++}`,
      store: referenceStore(clock),
      policies: [{ name: "p", window: "1m", limit: () => Promise.resolve(3) }],
    });
    const remaining: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) remaining.push((await limiter.consume("k")).policies[0]?.remaining);
    expect(remaining).toEqual([2, 1, 0, 0]);
  });

  test("are given the context", () => {
    const limiter = createLimiter({
      name: `test-${names++}`,
      store: referenceStore(clock),
      policies: [{ name: "p", limit: (plan: string) => (plan === "pro" ? "100/minute" : "1/minute") }],
    });
    expect(limiter.consume("k", 1, "pro").binding?.limit).toBe(100);
    expect(limiter.consume("k", 1, "free").binding?.limit).toBe(1);
  });
});
