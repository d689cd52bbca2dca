import fc from "fast-check";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { CASE_EPOCH, manualClock } from "../../src/testing/manual-clock.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { consume, peek, policyOf } from "./policy-of.ts";

/** Asks once for each of so many keys that nobody used before. */
function flood(
  store: ReturnType<typeof memoryStore>,
  policy: ReturnType<typeof policyOf>,
  keys: number,
  cost = 1,
): number {
  let admitted = 0;
  for (let i = 0; i < keys; i++) if (consume(store, policy, `made-up-${store.size}-${i}`, cost).allowed) admitted++;
  return admitted;
}

describe("a full memory store", () => {
  test("property: never holds more states and blocks than maxKeys, whatever is asked", () => {
    const policies = ALGORITHMS.map((algorithm) => policyOf({ name: algorithm, algorithm, limit: 3, window: 100 }));
    const step = fc.record({
      verb: fc.constantFrom("consume", "consume", "consume", "charge", "block", "reset", "peek"),
      keys: fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 }),
      cost: fc.nat({ max: 3 }),
      wait: fc.constantFrom(0, 0, 0, 1, 30, 300),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { maxLength: 100, size: "max" }),
        (maxKeys, steps) => {
          const clock = manualClock();
          const store = memoryStore({ clock, maxKeys });
          for (const { verb, keys, cost, wait } of steps) {
            clock.advance(wait);
            const checks = keys.map((key, i) => ({
              policy: policies[(key + i) % policies.length]!,
              stateKey: `${key}`,
              cost,
            }));
            if (verb === "block") store.block(checks, 50);
            else store[verb](checks);
            expect(store.size).toBeLessThanOrEqual(maxKeys);
          }
          store.close();
        },
      ),
    );
  });

  test("A47 holds 50,000 keys of a flood at most, and counts an ordinary client as if there were none", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys: 50_000 });
    const undisturbed = referenceStore(clock);
    const policy = policyOf({ limit: 10, window: 1_000 });
    const checks = [{ policy, stateKey: "ordinary", cost: 1 }];
    let admitted = 0;
    for (let key = 0; key < 300_000; key++) {
      if (key % 5_000 === 0) {
        const [decision] = store.consume(checks).policies;
        const [expected] = undisturbed.consume(checks).policies;
        expect({ ...decision, receipt: 0 }).toEqual({ ...expected, receipt: 0 });
        if (decision?.allowed === true) admitted++;
        expect(store.size).toBeLessThanOrEqual(50_000);
      }
      consume(store, policy, `made-up-${key}`);
      if (key % 100 === 99) clock.advance(1);
    }
    expect(store.size).toBe(50_000);
    expect(admitted).toBeGreaterThan(25);
    store.close();
  }, 120_000);

  test("collects what is stale before it forgets anybody", () => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys: 1_000 });
    const short = policyOf({ name: "short", algorithm: "fixed-window", limit: 5, window: 10 });
    const long = policyOf({ name: "long", algorithm: "token-bucket", limit: 100, window: 3_600_000 });
    flood(store, short, 500);
    for (let i = 0; i < 400; i++) consume(store, long, `regular-${i}`);
    clock.advance(20);
    flood(store, long, 450, 2);
    let kept = 0;
    for (let i = 0; i < 400; i++) if (peek(store, long, `regular-${i}`).remaining === 99) kept++;
    // By chance alone it would be 240; a sample without a stale state evicts a regular now and then.
    expect(kept).toBeGreaterThan(320);
    store.close();
  });

  test("frees no limited caller when made-up keys flood it", () => {
    for (const algorithm of ALGORITHMS) {
      const clock = manualClock(CASE_EPOCH);
      const store = memoryStore({ clock, maxKeys: 1_000 });
      const policy = policyOf({ algorithm, limit: 3, window: 600_000 });
      const limited = Array.from({ length: 100 }, (_, i) => `limited-${i}`);
      for (const key of limited) consume(store, policy, key, 3);
      flood(store, policy, 5_000);
      flood(store, policy, 5_000, 2);
      for (const key of limited) expect(consume(store, policy, key).allowed).toBe(false);
      store.close();
    }
  });

  test("frees no limited caller of a small plan, although one of a great plan asked last", () => {
    const store = memoryStore({ clock: manualClock(), maxKeys: 100 });
    const small = policyOf({ algorithm: "fixed-window", limit: 3 });
    const great = policyOf({ algorithm: "fixed-window", limit: 1_000 });
    const none = policyOf({ algorithm: "fixed-window", limit: 0 });
    for (let i = 0; i < 50; i++) consume(store, small, `limited-${i}`, 3);
    consume(store, none, "banned");
    flood(store, great, 5_000, 2);
    for (let i = 0; i < 50; i++) expect(consume(store, small, `limited-${i}`).allowed).toBe(false);
    store.close();
  });

  test("keeps blocks, whatever floods it", () => {
    const store = memoryStore({ clock: manualClock(), maxKeys: 200 });
    const policy = policyOf({ limit: 3 });
    const blocked = Array.from({ length: 100 }, (_, i) => ({ policy, stateKey: `blocked-${i}`, cost: 1 }));
    store.block(blocked, 60_000);
    flood(store, policy, 5_000);
    expect(store.size).toBe(200);
    for (const check of blocked) expect(store.consume([check]).policies[0]?.blockedMs).toBe(60_000);
    store.close();
  });

  test("takes a block even when all callers are at their limit", () => {
    const store = memoryStore({ clock: manualClock(), maxKeys: 50 });
    const policy = policyOf({ limit: 1 });
    flood(store, policy, 50);
    store.block([{ policy, stateKey: "abuser", cost: 0 }], 5_000);
    expect(store.size).toBe(50);
    expect(consume(store, policy, "abuser").blockedMs).toBe(5_000);
    store.close();
  });

  test("never evicts the states of the call it makes room for", () => {
    const store = memoryStore({ clock: manualClock(), maxKeys: 3 });
    const policies = ["a", "b", "c"].map((name) => policyOf({ name, algorithm: "token-bucket", limit: 5 }));
    flood(store, policies[0]!, 3);
    for (let left = 4; left >= 0; left--) {
      const reply = store.consume(policies.map((policy) => ({ policy, stateKey: "somebody", cost: 1 })));
      expect(reply.policies.map(({ remaining }) => remaining)).toEqual([left, left, left]);
      expect(store.size).toBe(3);
    }
    expect(consume(store, policies[1]!, "somebody").allowed).toBe(false);
    store.close();
  });
});

describe("a memory store full of callers at their limit", () => {
  const policy = policyOf({ algorithm: "fixed-window", limit: 2, window: 1_000 });

  function saturated(maxKeys = 100) {
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys });
    for (let i = 0; i < maxKeys; i++) consume(store, policy, `limited-${i}`, 2);
    return { clock, store };
  }

  test("lets new keys share states under the same limits: nobody is unlimited", () => {
    const { store } = saturated();
    // 4,096 states of 2 units; a few are met by no key.
    const admitted = flood(store, policy, 50_000);
    expect(admitted).toBeLessThanOrEqual(8_192);
    expect(admitted).toBeGreaterThan(8_000);
    expect(flood(store, policy, 10_000)).toBeLessThan(100);
    expect(store.size).toBe(100);
    for (let i = 0; i < 100; i++) expect(consume(store, policy, `limited-${i}`).allowed).toBe(false);
    store.close();
  });

  test("counts one new key as exactly as any other, while nobody shares its state", () => {
    const { clock, store } = saturated();
    const first = consume(store, policy, "new");
    expect(first).toMatchObject({ allowed: true, remaining: 1 });
    expect(peek(store, policy, "new").remaining).toBe(1);
    expect(consume(store, policy, "new").remaining).toBe(0);
    const denied = consume(store, policy, "new");
    expect(denied).toMatchObject({ allowed: false, retryAfterMs: 1_000 - (clock() % 1_000) });
    expect(store.inspect([{ policy, stateKey: "new", cost: 0 }])[0]).toMatchObject({ used: 2 });
    clock.advance(1_000);
    expect(consume(store, policy, "new")).toMatchObject({ allowed: true, remaining: 1 });
    store.close();
  });

  test("gives back to a shared state what was charged to it, and nothing else", () => {
    const { store } = saturated();
    const { receipt } = consume(store, policy, "new", 2);
    const refund = { policy, stateKey: "new", cost: 1, receipt: JSON.parse(JSON.stringify(receipt)) as string };
    store.refund([refund]);
    expect(peek(store, policy, "new").remaining).toBe(1);
    expect(
      store.raise([{ policy, stateKey: "new", cost: 2, earlier: { cost: 1, receipt: refund.receipt } }]).allowed,
    ).toBe(true);
    // A receipt of a state of its own, which is gone, is void.
    store.refund([{ ...refund, receipt: CASE_EPOCH }]);
    expect(peek(store, policy, "new").remaining).toBe(0);
    store.close();
  });

  test("makes no shared states for looks", () => {
    const { store } = saturated();
    expect(peek(store, policy, "new").remaining).toBe(2);
    expect(consume(store, policy, "new", 0).remaining).toBe(2);
    expect(store.inspect([{ policy, stateKey: "new", cost: 0 }])).toEqual([undefined]);
    store.close();
  });

  test("sees two keys that share a state as one, also within a call", () => {
    const { store } = saturated();
    const checks = Array.from({ length: 4_097 }, (_, i) => ({ policy, stateKey: `new-${i}`, cost: 1 }));
    // Some two of 4,097 keys share one of 4,096 states, and then three do among four times as many.
    const reply = store.consume(checks);
    expect(reply.policies.some(({ remaining }) => remaining === 0)).toBe(true);
    expect(store.size).toBe(100);
    store.close();
  });

  test("gives new keys states of their own as soon as there is room", () => {
    const { clock, store } = saturated();
    flood(store, policy, 1_000);
    clock.advance(1_000);
    const ask = (i: number) => consume(store, policy, `later-${i}`);
    for (let i = 0; i < 8; i++) expect(ask(i)).toMatchObject({ allowed: true, remaining: 1 });
    for (let i = 0; i < 8; i++) expect(peek(store, policy, `later-${i}`).remaining).toBe(1);
    expect(store.size).toBe(100);
    // From now on one of them may be the least used of a sample; all the same, each new one begins with all of its quota.
    for (let i = 8; i < 100; i++) expect(ask(i)).toMatchObject({ allowed: true, remaining: 1 });
    store.close();
  });

  test.each(ALGORITHMS)("shares states of %s as well, debts included", (algorithm) => {
    const clock = manualClock();
    const store = memoryStore({ clock, maxKeys: 10 });
    const two = policyOf({ algorithm, limit: 2, window: 60_000 });
    for (let i = 0; i < 10; i++) consume(store, two, `limited-${i}`, 2);
    store.charge([{ policy: two, stateKey: "new", cost: 3 }]);
    expect(peek(store, two, "new").remaining).toBe(0);
    expect(consume(store, two, "new").allowed).toBe(false);
    clock.advance(600_000);
    expect(consume(store, two, "new").allowed).toBe(true);
    expect(store.size).toBeLessThanOrEqual(10);
    store.close();
  });
});
