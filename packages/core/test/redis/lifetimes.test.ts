import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS, type AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { AsyncStore, Check } from "../../src/domain/store.ts";
import { lifetimeMs } from "../../src/redis/lifetime.ts";
import { redisStore } from "../../src/redis/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { ready } from "./clients.ts";
import { check, consume, policyOf, remainingOf } from "./policies.ts";

let server: RedisServer;
let redis: Redis;
let store: AsyncStore;

beforeAll(async () => {
  server = await startRedis();
  redis = await ready(new Redis(server.port));
  store = redisStore(redis, { denyCache: false });
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const keyOf = (policy: ResolvedPolicy, stateKey = "somebody"): string => `rl:${policy.space}${stateKey}`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** At once, since each has to wait. */
async function forEachAlgorithm(run: (algorithm: AlgorithmName) => Promise<void>): Promise<void> {
  await Promise.all(ALGORITHMS.map(run));
}

/** What comes of it in that time; when the machine stalled it says nothing about lifetimes, and is done again. */
async function within<T>(ms: number, run: () => Promise<T>): Promise<T> {
  for (;;) {
    const began = performance.now();
    const outcome = await run();
    if (performance.now() - began < ms) return outcome;
  }
}

test("A18 a key that lost its TTL heals itself", () =>
  forEachAlgorithm(async (algorithm) => {
    // Three seconds stand for the case's ten; the server's own clock counts.
    const two = policyOf({ algorithm, limit: 2, window: 3_000 });
    const healthy = async (): Promise<boolean> => {
      const ttl = await redis.pttl(keyOf(two));
      return ttl > 0 && ttl <= lifetimeMs(two);
    };
    for (let i = 0; i < 3; i++) await consume(store, two);
    expect(await healthy()).toBe(true);

    expect(await redis.persist(keyOf(two))).toBe(1);
    await consume(store, two);
    expect(await healthy()).toBe(true);

    await redis.persist(keyOf(two));
    await pause(3_000);
    const first = await consume(store, two);
    expect(await healthy()).toBe(true);
    await pause(3_000);
    const second = await consume(store, two);
    expect(await healthy()).toBe(true);
    expect([first.allowed, second.allowed]).toContain(true);
    expect(second.allowed).toBe(true);
  }));

test("a key is gone when it cannot matter any more", () =>
  forEachAlgorithm(async (algorithm) => {
    const policy = policyOf({ algorithm, limit: 5, window: 50 });
    const there = await within(500, async () => {
      await consume(store, policy, "somebody", 5);
      return redis.exists(keyOf(policy));
    });
    expect(there).toBe(1);
    await pause(lifetimeMs(policy) + 50);
    expect(await redis.exists(keyOf(policy))).toBe(0);
  }));

for (const algorithm of ALGORITHMS) {
  test(`A18 ${algorithm}: whichever request comes after the loss of the TTL, it brings it back`, async () => {
    const policy = policyOf({ algorithm, limit: 30, window: 600_000 });
    for (let i = 0; i < 30; i++) {
      await consume(store, policy);
      const ttl = await redis.pttl(keyOf(policy));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(lifetimeMs(policy));
      await redis.persist(keyOf(policy));
    }
  });

  test(`A18 ${algorithm}: a state without a TTL reads as absent when it no longer counts`, async () => {
    const clock = manualClock();
    const virtual = redisStore(redis, { clock });
    const two = policyOf({ algorithm, limit: 2, window: 10_000 });
    for (let i = 0; i < 3; i++) await consume(virtual, two);
    await redis.persist(keyOf(two));
    clock.advance(20_000);
    expect(await remainingOf(virtual, two)).toBe(2);
    expect((await consume(virtual, two, "somebody", 2)).allowed).toBe(true);
  });

  test(`${algorithm}: a refund neither extends a life nor makes a key`, async () => {
    const policy = policyOf({ algorithm, limit: 10, window: 86_400_000 });
    const { policies } = await consume(store, policy, "somebody", 5);
    const refund = { ...check(policy, "somebody", 2), receipt: policies[0]?.receipt as number };
    await redis.pexpire(keyOf(policy), 50_000);
    await store.refund([refund]);
    expect(await remainingOf(store, policy)).toBe(7);
    const ttl = await redis.pttl(keyOf(policy));
    expect(ttl).toBeGreaterThan(40_000);
    expect(ttl).toBeLessThanOrEqual(50_000);
    await redis.del(keyOf(policy));
    await store.refund([refund]);
    expect(await redis.exists(keyOf(policy))).toBe(0);
  });

  test(`${algorithm}: peeks, denials and costs of 0 make no key`, async () => {
    const none = policyOf({ algorithm, limit: 0, window: 1_000 });
    const some = policyOf({ algorithm, limit: 3, window: 1_000 });
    await consume(store, none);
    await consume(store, some, "somebody", 4);
    await consume(store, some, "somebody", 0);
    await store.peek([check(some, "somebody", 0)]);
    await store.inspect([check(some, "somebody", 0)]);
    await store.block([check(some, "somebody", 0)], 0);
    expect(await redis.exists(keyOf(none), keyOf(some))).toBe(0);
  });

  test(`A56 ${algorithm}: a block has a TTL of its own length, and outlives the window`, async () => {
    const policy = policyOf({ algorithm, limit: 10, window: 1_000 });
    for (const before of [false, true]) {
      if (before) await consume(store, policy, "somebody", 3);
      await store.block([check(policy, "somebody", 0)], 3_600_000);
      const ttl = await redis.pttl(keyOf(policy));
      expect(ttl).toBeGreaterThan(3_590_000);
      expect(ttl).toBeLessThanOrEqual(3_600_000);
      await consume(store, policy);
      await store.charge([check(policy)]);
      expect(await redis.pttl(keyOf(policy))).toBeGreaterThan(3_590_000);
      await store.block([check(policy, "somebody", 0)], 0);
      await store.reset([check(policy, "somebody", 0)]);
    }
    const denied = await within(900, async () => {
      await store.block([check(policy, "somebody", 0)], 1_000);
      await consume(store, policy);
      return consume(store, policy);
    });
    expect(denied.allowed).toBe(false);
    await pause(1_050);
    expect((await consume(store, policy)).allowed).toBe(true);
  });
}

test("A19 traffic does not push the end of a fixed window on", async () => {
  const window = (): number => Math.floor(Date.now() / 5_000);
  const ask = async (policy: ResolvedPolicy): Promise<number | undefined> =>
    (await consume(store, policy)).policies[0]?.remaining;
  let [three, began, remaining]: [ResolvedPolicy | undefined, number, unknown[]] = [undefined, 0, []];
  // Again when the machine stalled until the window had ended.
  while (three === undefined || window() !== began) {
    three = policyOf({ algorithm: "fixed-window", limit: 3, window: 5_000 });
    remaining = [];
    await pause(5_000 - (Date.now() % 5_000) + 100);
    began = window();
    for (const wait of [0, 1_800, 1_800]) {
      await pause(wait);
      remaining.push(await ask(three));
    }
  }
  await pause(1_800);
  expect([...remaining, await ask(three)]).toEqual([2, 1, 0, 2]);
});

test("no key is ever without a TTL, or with one above the documented maximum, whatever is asked", async () => {
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const policies = ALGORITHMS.flatMap((algorithm: AlgorithmName) =>
    [40, 1_000, 60_000].map((window) => policyOf({ algorithm, limit: 70, window })),
  );
  const maximum = new Map(
    policies.flatMap((policy) => [0, 1, 2].map((k) => [keyOf(policy, `${k}`), lifetimeMs(policy)])),
  );
  const receipts: (Check & { receipt: number })[] = [];
  const end = performance.now() + 4_000;
  let checked = 0;
  while (checked <= 1_000 || performance.now() < end) {
    const calls = Array.from({ length: 40 }, async () => {
      const some = Array.from({ length: 1 + random(3) }, () => policies[random(policies.length)] as ResolvedPolicy);
      const checks = [...new Set(some)].map((policy) => check(policy, `${random(3)}`, random(4)));
      const [one] = checks as [Check];
      switch (random(12)) {
        case 0:
          return store.charge([{ ...one, cost: random(200) }]);
        case 1:
          return store.refund(receipts.splice(0, 2));
        case 2:
          return store.raise(checks.map((each) => ({ ...each, earlier: undefined })));
        case 3:
          return random(8) === 0 ? store.reset(checks) : store.peek(checks);
        case 4:
          return store.block(checks, random(2) * random(30));
        default: {
          const { policies: decisions } = await store.consume(checks);
          for (const [i, { receipt }] of decisions.entries()) {
            if (receipt !== undefined) receipts.push({ ...(checks[i] as Check), receipt: receipt as number });
          }
        }
      }
    });
    await Promise.all(calls);
    const keys = await redis.keys("rl:*");
    const ttls = await redis.pipeline(keys.map((key) => ["pttl", key])).exec();
    for (const [i, [, ttl]] of (ttls ?? []).entries()) {
      const most = maximum.get(keys[i] as string);
      // -2: it has expired between the two commands; 0: it is about to.
      if (most === undefined || ttl === -2) continue;
      checked++;
      if ((ttl as number) < 0 || (ttl as number) > most)
        throw new Error(`${keys[i]} has a PTTL of ${String(ttl)}, at most ${most}`);
    }
  }
  expect(checked).toBeGreaterThan(1_000);
}, 120_000);

test("a wrong clock on one of two instances changes nothing", async () => {
  const wallClock = jest.spyOn(Date, "now");
  const others = [redisStore(redis, { denyCache: false }), store];
  for (const algorithm of ALGORITHMS) {
    const policy = policyOf({ algorithm, limit: "10/day" });
    for (let i = 0; i < 12; i++) {
      wallClock.mockReturnValue(1_000_000 + (i % 2) * 3_600_000);
      const { policies } = await consume(others[i % 2] as AsyncStore, policy);
      expect(policies[0]).toMatchObject({ allowed: i < 10, remaining: Math.max(0, 9 - i) });
    }
  }
  wallClock.mockRestore();
});
