import type { Decision } from "../../src/domain/decision.ts";
import { checkPolicy } from "../../src/domain/policy.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { Reply } from "../../src/domain/store.ts";
import { createLimiter } from "../../src/limiter/create-limiter.ts";
import type { LimiterEvent } from "../../src/observe/events.ts";
import type { DecisionRecord } from "../../src/observe/records.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore, type Fault } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

function failing(options: object = {}) {
  const store = promisedStore(referenceStore(manualClock()));
  const events: LimiterEvent[] = [];
  const limiter = createLimiter({
    store,
    policies: [{ name: "p", limit: "10/day" }],
    storeTimeoutMs: 20,
    probeIntervalMs: 10,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { store, limiter, events, types: () => events.map(({ type }) => type) };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe.each<[Fault]>([["reject"], ["throw"], ["never"], [{ lateMs: 1_500 }]])(
  "a store whose calls fail by %j",
  (fault) => {
    test('is replaced by this process under "local", which counts on between outages', async () => {
      const { store, limiter } = failing();
      store.fault = fault;
      const first = await limiter.consume("k", 7);
      expect(first).toMatchObject({ allowed: true, source: "local" });
      expect(first.explain()).toContain("by this process alone");
      store.fault = "none";
      expect(await limiter.consume("k", 3)).toMatchObject({ allowed: true, source: "store" });
      store.fault = fault;
      expect(await limiter.consume("k", 7)).toMatchObject({ allowed: false, source: "local", reason: "quota" });
      await limiter.close();
    });

    test('admits without invented numbers under "allow"', async () => {
      const { store, limiter } = failing({ onStoreError: "allow" });
      store.fault = fault;
      expect(await limiter.consume("k")).toMatchObject({
        allowed: true,
        reason: "admitted",
        source: "fail-open",
        policies: [],
        binding: undefined,
      });
      await limiter.close();
    });

    test('denies under "deny", saying why and when to come back', async () => {
      const { store, limiter } = failing({ onStoreError: "deny" });
      store.fault = fault;
      const decision = await limiter.consume("k");
      expect(decision).toMatchObject({
        allowed: false,
        reason: "store-unavailable",
        source: "fail-closed",
        retryAfterMs: 1_000,
        policies: [],
      });
      expect(decision.explain()).toContain("fails closed");
      await limiter.close();
    });

    test("opens the breaker after failures in a row, spares the store, and closes again by itself, each with one event", async () => {
      const { store, limiter, types } = failing({ breakerThreshold: 3, probeIntervalMs: 40 });
      store.fault = fault;
      for (let i = 0; i < 3; i++) await limiter.consume("k");
      const calls = store.calls;
      for (let i = 0; i < 50; i++) void limiter.consume("k");
      expect(store.calls).toBe(calls);
      expect(types().filter((type) => type === "store-down")).toHaveLength(1);
      store.fault = "none";
      await until(() => types().includes("store-up"));
      expect(await limiter.consume("k")).toMatchObject({ source: "store" });
      expect(types().filter((type) => type === "store-down" || type === "store-up")).toEqual([
        "store-down",
        "store-up",
      ]);
      await limiter.close();
    });

    test("fails reset and block loudly, and refund quietly", async () => {
      const { store, limiter, types } = failing();
      const decision = await limiter.consume("k");
      store.fault = fault;
      await expect(limiter.reset("k")).rejects.toThrow(/the store/);
      await expect(limiter.block("k", 1_000)).rejects.toThrow(/the store/);
      await limiter.refund(decision);
      expect(types()).toEqual(["store-error", "store-error", "store-error"]);
      await limiter.close();
    });
  },
);

describe("what a store remembers", () => {
  const denial = async (): Promise<Reply> => {
    const store = referenceStore(manualClock());
    return { ...(await store.consume(checks)), source: "deny-cache" };
  };
  const { fixed } = checkPolicy("default", { name: "p", limit: "1/day" }, "policy");
  const checks = [{ policy: fixed as ResolvedPolicy, stateKey: "denied", cost: 2 }];

  test("is answered without a call, and says nothing of whether the store is well", async () => {
    const { store, limiter, types } = failing({ breakerThreshold: 3 });
    const reply = await denial();
    store.remembered = ([check]) => (check?.stateKey === "denied" ? reply : undefined);
    store.fault = "reject";
    for (let i = 0; i < 3; i++) {
      expect(types()).not.toContain("store-down");
      expect(await limiter.consume("denied")).toMatchObject({ allowed: false, source: "deny-cache" });
      expect(await limiter.consume("k")).toMatchObject({ source: "local" });
    }
    expect(store.calls).toBe(3);
    expect(types()).toContain("store-down");
    expect(await limiter.consume("denied")).toMatchObject({ source: "local" });
    await limiter.close();
  });

  test("is told to who listens to decisions as others are", async () => {
    const records: DecisionRecord[] = [];
    const { store, limiter } = failing({ onDecision: (record: DecisionRecord) => void records.push(record) });
    const reply = await denial();
    store.remembered = () => reply;
    await limiter.consume("denied");
    expect(records).toMatchObject([{ decision: "denied", source: "deny-cache" }]);
    await limiter.close();
  });

  test("is asked for where it cannot be told", async () => {
    const { store, limiter, types } = failing();
    store.remembered = () => {
      throw new Error("forgotten");
    };
    expect(await limiter.consume("k")).toMatchObject({ allowed: true, source: "store" });
    expect(types()).toEqual(["store-error"]);
    await limiter.close();
  });
});

test("policies fail each their own way: one that fails closed denies where others would count", async () => {
  const { store, limiter } = failing({
    policies: [
      { name: "read", limit: "10/day", onStoreError: "allow" },
      { name: "login", limit: "10/day", onStoreError: "deny" },
      { name: "write", limit: "1/day" },
    ],
  });
  store.fault = "reject";
  const ask = (keys: Record<string, string | null>): Promise<Decision> =>
    limiter.consume({ read: null, login: null, write: null, ...keys });
  expect(await ask({ read: "k" })).toMatchObject({ allowed: true, source: "fail-open" });
  expect(await ask({ read: "k", login: "k" })).toMatchObject({ allowed: false, source: "fail-closed" });
  expect(await ask({ read: "k", write: "k" })).toMatchObject({ allowed: true, source: "local" });
  expect(await ask({ read: "k", write: "k" })).toMatchObject({ allowed: false, source: "local" });
  await limiter.close();
});

test("local limits are the limiter's, divided by the instances, and fit the dearest class", async () => {
  const { store, limiter } = failing({
    instances: 4,
    dearestCost: 6,
    policies: [
      { name: "p", limit: "20/day" },
      { name: "b", algorithm: "gcra", limit: "20/day", burst: 40 },
    ],
  });
  store.fault = "reject";
  expect((await limiter.consume("k")).policies).toMatchObject([
    { capacity: 6 },
    { algorithm: "token-bucket", limit: 5, capacity: 10 },
  ]);
  await limiter.close();
});

test("refunds go to the store that charged", async () => {
  const { store, limiter } = failing();
  store.fault = "reject";
  const local = await limiter.consume("k", 10);
  store.fault = "none";
  const remote = await limiter.consume("k", 10);
  await limiter.refund(local);
  expect((await limiter.consume("k")).allowed).toBe(false);
  await limiter.refund(remote);
  expect((await limiter.consume("k")).allowed).toBe(true);
  store.fault = "reject";
  expect(await limiter.consume("k", 10)).toMatchObject({ allowed: true, source: "local" });
  await limiter.close();
});

test("a call waits no longer than it was told to, whatever the limiter's own patience", async () => {
  const { store, limiter } = failing({ storeTimeoutMs: 10_000 });
  store.fault = "never";
  const started = performance.now();
  for (let i = 0; i < 3; i++) await limiter.consumeEach([{ policy: 0, key: "k", cost: 1 }], undefined, 30);
  // Generous, since only the sum is meant: three waits of 10 s would be far beyond.
  expect(performance.now() - started).toBeLessThan(20_000);
  await limiter.close();
});

test("A59 close is idempotent, and what comes later follows onStoreError", async () => {
  const { store, limiter } = failing({ onStoreError: "deny" });
  store.fault = "never";
  await limiter.close();
  await limiter.close();
  expect(await limiter.consume("k")).toMatchObject({ allowed: false, source: "fail-closed" });
  const local = failing();
  await local.limiter.close();
  expect(await local.limiter.consume("k")).toMatchObject({ allowed: false, source: "fail-closed" });
});
