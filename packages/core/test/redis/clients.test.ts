import { Cluster, Redis } from "ioredis";
import { createClient, createSentinel } from "redis";
import { expectTypeOf } from "expect-type";
import {
  startCluster,
  startRedis,
  startSentinel,
  waitFor,
  type RedisServer,
} from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { redisStore, type RedisClient, type RedisCommands } from "../../src/redis/index.ts";
import { IMPATIENT, SINGLE, ready } from "./clients.ts";
import { check, consume, policyOf, remainingOf } from "./policies.ts";
import type { Cluster as Cluster5, Redis as Redis5 } from "ioredis5";
import type {
  createClient as createClient5,
  createCluster as createCluster5,
  createSentinel as createSentinel5,
} from "redis5";
import type { createCluster } from "redis";

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = await ready(new Redis(server.port));
});

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

for (const [name, connect] of Object.entries(SINGLE)) {
  test(`${name}: decides, corrects and explains`, async () => {
    const { client, close } = await connect(server.port);
    const store = redisStore(client);
    for (const algorithm of ALGORITHMS) {
      const policy = policyOf({ algorithm, limit: "10/day" });
      const before = Date.now();
      const three = await consume(store, policy, "é", 3);
      expect(three).toMatchObject({ allowed: true, source: "store", policies: [{ remaining: 7 }] });
      expect(three.at).toBeGreaterThanOrEqual(before);
      expect(three.at).toBeLessThanOrEqual(Date.now());
      const receipt = three.policies[0]?.receipt as number;
      const raised = await store.raise([{ ...check(policy, "é", 5), earlier: { cost: 3, receipt } }]);
      expect(raised.policies[0]?.remaining).toBe(5);
      expect((await store.charge([check(policy, "é", 2)])).policies[0]?.remaining).toBe(3);
      await store.refund([{ ...check(policy, "é", 5), receipt: raised.policies[0]?.receipt as number }]);
      expect(await remainingOf(store, policy, "é")).toBe(8);
      expect((await store.inspect([check(policy, "é", 0)]))[0]?.used).toBeCloseTo(2, 1);
      await store.block([check(policy, "é", 0)], 3_600_000);
      expect((await consume(store, policy, "é")).policies[0]?.blockedMs).toBeGreaterThan(3_590_000);
      await store.reset([check(policy, "é", 0)]);
      expect(await remainingOf(store, policy, "é")).toBe(10);
    }
    await close();
  });
}

test("clients of all versions are taken as they are, and so is an object of the two commands", () => {
  expectTypeOf<Redis>().toExtend<RedisClient>();
  expectTypeOf<Cluster>().toExtend<RedisClient>();
  expectTypeOf<Redis5>().toExtend<RedisClient>();
  expectTypeOf<Cluster5>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createClient>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createCluster>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createSentinel>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createClient5>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createCluster5>>().toExtend<RedisClient>();
  expectTypeOf<ReturnType<typeof createSentinel5>>().toExtend<RedisClient>();
  expectTypeOf<Pick<RedisCommands, "evalsha" | "eval" | "ready">>().toExtend<RedisClient>();
});

test("another client needs two commands and a state", async () => {
  const client = await ready(new Redis(server.port));
  const commands: RedisCommands = {
    ready: () => client.status === "ready",
    evalsha: (sha1, keys, args) => client.callBuffer("EVALSHA", sha1, keys.length, ...keys, ...args),
    eval: (lua, keys, args) => client.callBuffer("EVAL", lua, keys.length, ...keys, ...args),
  };
  const store = redisStore(commands);
  const policy = policyOf();
  expect((await consume(store, policy)).policies[0]?.remaining).toBe(9);
  expect(await remainingOf(redisStore(admin), policy)).toBe(9);
  client.disconnect();
});

test("what is no client is refused, and so is what cannot be an option", () => {
  const store = redisStore as (client: unknown, options?: unknown) => unknown;
  for (const client of [undefined, null, "redis://localhost", {}, { evalsha: () => {} }, () => {}]) {
    expect(() => store(client)).toThrow(expect.objectContaining({ code: "ERR_AFORO_INVALID_OPTION" }) as Error);
  }
  for (const prefix of ["a{b", "a}b", 5, "x".repeat(65), "\ud800"]) {
    expect(() => store(admin, { prefix })).toThrow('"prefix"');
  }
  expect(() => store(admin, { prefx: "a" })).toThrow('did you mean "prefix"?');
  expect(() => store(admin, { clock: 5 })).toThrow('"clock"');
  expect(() => store(admin, { denyCache: 1 })).toThrow('"denyCache"');
});

describe("A34 a prefix of the client", () => {
  test("is put before every key once, whatever the client is used for besides", async () => {
    const client = await ready(new Redis(server.port, { keyPrefix: "app:", enableAutoPipelining: true }));
    const store = redisStore(client);
    for (const algorithm of ALGORITHMS) {
      const one = policyOf({ algorithm, limit: "1/day" });
      expect((await consume(store, one)).allowed).toBe(true);
      expect((await consume(store, one)).allowed).toBe(false);
      await store.reset([check(one, "somebody", 0)]);
      expect((await consume(store, one)).allowed).toBe(true);
      expect(await admin.exists(`app:rl:${one.space}somebody`)).toBe(1);
    }
    expect((await admin.keys("*app:*")).every((key) => /^app:rl:(?!.*app:)/.test(key))).toBe(true);
    client.disconnect();
  });

  test("is put before every key of a Cluster once, and may hold a hash tag", async () => {
    const cluster = await startCluster();
    const nodes = cluster.masters.map(({ host, port }) => ({ host, port }));
    for (const options of [{ keyPrefix: "app:" }, { redisOptions: { keyPrefix: "app:" } }, { keyPrefix: "app{1}:" }]) {
      const client = await ready(new Cluster(nodes, options));
      const store = redisStore(client);
      const policies = [policyOf({ limit: "1/day" }), policyOf({ limit: "5/day" })];
      const checks = policies.map((policy, i) => check(policy, `key ${i}`));
      expect((await store.consume(checks)).allowed).toBe(true);
      expect((await store.consume(checks)).allowed).toBe(false);
      await store.reset(checks);
      expect((await store.consume(checks)).allowed).toBe(true);
      client.disconnect();
    }
    const keys = (await Promise.all(cluster.masters.map((node) => node.cli("KEYS", "*")))).join("\n").split("\n");
    expect(
      keys
        .filter((key) => key !== "")
        .sort()
        .map((key) => key.replace(/rl:.*/, "rl:")),
    ).toEqual(["app:rl:", "app:rl:", "app:rl:", "app:rl:", "app{1}:rl:", "app{1}:rl:"]);
    await cluster.stop();
  }, 30_000);
});

test("A32 a Sentinel's failover: the store goes on with the new master", async () => {
  const { name, master, replica, sentinel, stop } = await startSentinel();
  const sentinels = [{ host: sentinel.host, port: sentinel.port }];
  const ioredis = await ready(new Redis({ sentinels, name, sentinelRetryStrategy: () => 50, retryStrategy: () => 50 }));
  const nodeRedis = await createSentinel({
    name,
    sentinelRootNodes: sentinels,
    scanInterval: 100,
    nodeClientOptions: IMPATIENT.nodeRedis,
    sentinelClientOptions: IMPATIENT.nodeRedis,
  })
    .on("error", () => {})
    .connect();
  try {
    const stores = [redisStore(ioredis), redisStore(nodeRedis)];
    const policy = policyOf({ limit: "1000/day", algorithm: "gcra" });
    for (const store of stores) expect((await consume(store, policy)).allowed).toBe(true);
    await waitFor("the replica has it", async () => (await replica.cli("DBSIZE")) === "1");
    await master.kill();
    // The Sentinel cuts the connections of a server that it promotes.
    await waitFor("the replica is master", () =>
      replica.cli("ROLE").then(
        (role) => role.startsWith("master"),
        () => false,
      ),
    );
    for (const store of stores) {
      await waitFor("the store decides again", () =>
        Promise.race([
          consume(store, policy).then(
            ({ allowed }) => allowed,
            () => false,
          ),
          new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 200)),
        ]),
      );
    }
    expect(await remainingOf(stores[0] as never, policy)).toBeLessThanOrEqual(997);
  } finally {
    ioredis.disconnect();
    void nodeRedis.destroy();
    await stop();
  }
}, 90_000);

test("options of node-redis that change replies change nothing", async () => {
  for (const RESP of [2, 3] as const) {
    const client = createClient({
      url: `redis://127.0.0.1:${server.port}`,
      RESP,
      commandOptions: { typeMapping: { [36]: Buffer } },
    });
    await client.connect();
    const policy = policyOf();
    expect((await consume(redisStore(client as unknown as RedisClient), policy)).policies[0]?.remaining).toBe(9);
    client.destroy();
  }
});
