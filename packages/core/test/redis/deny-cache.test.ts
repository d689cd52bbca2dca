import { Redis } from "ioredis";
import { startCluster, startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import type { AsyncStore } from "../../src/domain/store.ts";
import { redisStore } from "../../src/redis/index.ts";
import { CLUSTER, ready } from "./clients.ts";
import { check, consume, policyOf } from "./policies.ts";

let server: RedisServer;
let redis: Redis;
let store: AsyncStore;
/** Another process, as far as the first can tell. */
let other: AsyncStore;

beforeAll(async () => {
  server = await startRedis();
  redis = await ready(new Redis(server.port));
});

/** What the cache goes by. It stands still, so that no denial is forgotten because the machine was busy. */
let now: number;

beforeEach(() => {
  now = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => now);
  [store, other] = [redisStore(redis), redisStore(redis, { denyCache: false })];
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

for (const algorithm of ALGORITHMS) {
  test(`${algorithm}: a denial is repeated without asking, and its wait counts down`, async () => {
    const two = policyOf({ algorithm, limit: "2/day" });
    await consume(store, two, "a", 2);
    const first = await consume(store, two, "a");
    expect(first).toMatchObject({ allowed: false, source: "store" });
    now += 30;
    const again = await consume(store, two, "a");
    expect(again).toMatchObject({ allowed: false, source: "deny-cache" });
    expect(again.at).toBe(first.at + 30);
    const [before, after] = [first.policies[0], again.policies[0]];
    expect(after).toMatchObject({ ...before, retryAfterMs: expect.anything(), resetMs: expect.anything() });
    expect(after?.retryAfterMs).toBe((before?.retryAfterMs as number) - 30);
    expect(await consume(store, two, "b")).toMatchObject({ allowed: true, source: "store" });
  });
}

test("it never outlasts the wait, however short that is", async () => {
  jest.restoreAllMocks();
  const fast = policyOf({ algorithm: "gcra", limit: 50, window: 1_000, burst: 1 });
  for (let i = 0; i < 20; i++) {
    const { allowed, policies } = await consume(store, fast);
    if (!allowed) await pause(policies[0]?.retryAfterMs as number);
    if (!allowed) expect((await consume(other, fast)).allowed).toBe(true);
  }
});

test("it is for the same cost and greater ones, and never says that more remains than does", async () => {
  const ten = policyOf({ limit: "10/day" });
  await consume(store, ten, "a", 7);
  expect(await consume(store, ten, "a", 5)).toMatchObject({ allowed: false, policies: [{ remaining: 3 }] });
  for (const cost of [5, 6]) {
    const cached = await consume(store, ten, "a", cost);
    expect(cached).toMatchObject({ allowed: false, source: "deny-cache", policies: [{ cost, remaining: 0 }] });
  }
  expect(await consume(store, ten, "a", 11)).toMatchObject({
    source: "deny-cache",
    policies: [{ retryAfterMs: Infinity }],
  });
  expect(await consume(store, ten, "a", 3)).toMatchObject({ allowed: true, source: "store" });
});

test("a reset elsewhere is felt within a second", async () => {
  const one = policyOf({ limit: "1/day" });
  await consume(store, one);
  await consume(store, one);
  await other.reset([check(one)]);
  expect((await consume(store, one)).source).toBe("deny-cache");
  now += 999;
  expect((await consume(store, one)).source).toBe("deny-cache");
  now += 1;
  expect(await consume(store, one)).toMatchObject({ allowed: true, source: "store" });
});

describe("it is dropped on a local", () => {
  const denied = async () => {
    const ten = policyOf({ limit: "10/day" });
    const { policies } = await consume(store, ten, "a", 10);
    await consume(store, ten, "a");
    expect((await consume(store, ten, "a")).source).toBe("deny-cache");
    return { ten, charge: { cost: 10, receipt: policies[0]?.receipt as number } };
  };

  test("reset", async () => {
    const { ten } = await denied();
    await store.reset([check(ten, "a")]);
    expect(await consume(store, ten, "a")).toMatchObject({ allowed: true, source: "store" });
  });

  test("refund", async () => {
    const { ten, charge } = await denied();
    await store.refund([{ ...check(ten, "a"), ...charge }]);
    expect(await consume(store, ten, "a")).toMatchObject({ allowed: true, source: "store" });
  });

  test("raise, even a denied one", async () => {
    const { ten, charge } = await denied();
    expect((await store.raise([{ ...check(ten, "a", 11), earlier: charge }])).allowed).toBe(false);
    expect(await consume(store, ten, "a")).toMatchObject({ allowed: true, source: "store" });
  });

  test("charge, block and lifted block", async () => {
    const { ten } = await denied();
    await store.charge([check(ten, "a", 1)]);
    expect((await consume(store, ten, "a")).source).toBe("store");
    await store.block([check(ten, "a")], 3_600_000);
    const blocked = await consume(store, ten, "a");
    expect(blocked.source).toBe("store");
    expect(blocked.policies[0]?.blockedMs).toBeGreaterThan(3_590_000);
    await store.block([check(ten, "a")], 0);
    expect((await consume(store, ten, "a")).policies[0]?.blockedMs).toBe(0);
  });

  test("change of the limit", async () => {
    const limiter = "changed-limits";
    const low = policyOf({ limiter, limit: "1/day" });
    const high = policyOf({ limiter, limit: "2/day" });
    await store.reset([check(low)]);
    await consume(store, low);
    await consume(store, low);
    expect((await consume(store, low)).source).toBe("deny-cache");
    expect(await consume(store, high)).toMatchObject({ allowed: true, source: "store" });
  });

  test("and what was already under way then is not kept either", async () => {
    const { ten, charge } = await denied();
    await store.reset([check(ten, "a")]);
    await consume(store, ten, "a", 10);
    const [onItsWay] = await Promise.all([
      consume(store, ten, "a"),
      store.refund([{ ...check(ten, "a"), cost: 10, receipt: charge.receipt }]),
    ]);
    expect(onItsWay.allowed).toBe(false);
    expect((await consume(store, ten, "a")).source).toBe("store");
  });
});

test("requests with a shadow policy are always asked", async () => {
  const limiter = "shadowed";
  const one = policyOf({ limiter, name: "one", limit: "1/day" });
  const shadow = policyOf({ limiter, name: "shadow", limit: "100/day", mode: "shadow" });
  const checks = [check(one), check(shadow)];
  await store.reset(checks);
  for (let i = 0; i < 4; i++) expect((await store.consume(checks)).source).toBe("store");
  expect((await store.peek(checks)).policies.map(({ remaining }) => remaining)).toEqual([0, 96]);
});

test("of several policies only what is certain is kept", async () => {
  const limiter = "several";
  const user = policyOf({ limiter, name: "user", limit: "1/day" });
  const site = policyOf({ limiter, name: "site", limit: "10/day" });
  await store.reset([check(user, "A"), check(site, "all")]);
  const ask = (id: string) => store.consume([check(user, id), check(site, "all")]);
  await ask("A");
  expect((await ask("A")).source).toBe("store");
  const cached = await ask("A");
  expect(cached).toMatchObject({ allowed: false, source: "deny-cache" });
  expect(cached.policies.map(({ allowed }) => allowed)).toEqual([false, true]);
  expect(cached.policies.map(({ remaining }) => remaining)).toEqual([0, 0]);
  expect(await ask("B")).toMatchObject({ allowed: true, source: "store", policies: [{}, { remaining: 8 }] });
});

test("with a clock of one's own there is none, since no wait is known in real time", async () => {
  const virtual = redisStore(redis, { clock: () => 1_700_000_000_000 });
  const one = policyOf({ limit: "1/day" });
  await consume(virtual, one);
  for (let i = 0; i < 3; i++) expect((await consume(virtual, one)).source).toBe("store");
});

test("it holds 10,000 keys and forgets the oldest", async () => {
  const none = policyOf({ limit: "0/day" });
  const keys = Array.from({ length: 10_001 }, (_, i) => `${i}`);
  const sources: string[] = [];
  for (let i = 0; i < keys.length; i += 500)
    await Promise.all(keys.slice(i, i + 500).map((key) => consume(store, none, key)));
  for (const key of [keys[0], keys.at(-1)]) sources.push((await consume(store, none, key)).source);
  expect(sources).toEqual(["store", "deny-cache"]);
});

test("what is charged in one slot of a Cluster and given back is not taken for a denial", async () => {
  const cluster = await startCluster();
  const { client, close } = await (CLUSTER["ioredis 6"] as NonNullable<(typeof CLUSTER)[string]>)(
    cluster.masters.map(({ port }) => port),
  );
  const clustered = redisStore(client);
  const user = policyOf({ limit: "1/day" });
  const site = policyOf({ limit: "1/day" });
  const ask = (id: string) => clustered.consume([check(user, id), check(site, "all")]);
  // Both keys of B are free until A, which is denied by its user, has taken the site's only unit for a moment.
  await consume(clustered, user, "A");
  await Promise.all([ask("A"), ask("B")]);
  expect(await ask("C")).toMatchObject({ source: "store" });
  const total = (await clustered.peek([check(site, "all", 0), check(user, "B", 0), check(user, "C", 0)])).policies;
  expect(total.map(({ remaining }) => 1 - remaining).reduce((sum, used) => sum + used)).toBe(2);
  await close();
  await cluster.stop();
}, 30_000);

test("an attack of 100 keys causes at most one script call per key and second", async () => {
  const hundred = policyOf({ limit: "100/day" });
  const keys = Array.from({ length: 100 }, (_, i) => `attacker ${i}`);
  for (const key of keys) await consume(store, hundred, key, 100);
  await server.cli("CONFIG", "RESETSTAT");
  const began = now;
  let requests = 0;
  const attacker = async (): Promise<void> => {
    while (now - began < 2_000) {
      for (let i = 0; i < 50; i++) {
        now += 0.1;
        const { allowed } = await consume(store, hundred, keys[requests++ % 100]);
        if (allowed) throw new Error("admitted");
      }
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: 64 }, attacker));
  const seconds = (now - began) / 1_000;
  const stats = await server.cli("INFO", "commandstats");
  const inner = Number(/cmdstat_get:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  expect(requests).toBeGreaterThan(10_000);
  // Each decision of a denial reads its key once.
  expect(inner).toBeGreaterThan(0);
  expect(inner).toBeLessThanOrEqual(100 * Math.ceil(seconds + 1));
}, 20_000);
