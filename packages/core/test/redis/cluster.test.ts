import { Cluster, Redis } from "ioredis";
import {
  startCluster,
  startFaultProxy,
  waitFor,
  type RedisCluster,
  type RedisServer,
} from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { hashSlot } from "../../src/redis/hash-slot.ts";
import { redisStore } from "../../src/redis/index.ts";
import { describeStoreContract } from "../../src/testing/store-contract.ts";
import { describeVectors } from "../vectors/store-subject.ts";
import { CLUSTER, IMPATIENT, SINGLE, ready, type Connected } from "./clients.ts";
import { check, codeOf, consume, policyOf, remainingOf } from "./policies.ts";

let cluster: RedisCluster;
let redis: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  redis = await ready(new Cluster(cluster.masters.map(({ host, port }) => ({ host, port }))));
}, 30_000);

afterAll(async () => {
  redis.disconnect();
  await cluster.stop();
});

describeStoreContract("the Redis store on a Cluster", (clock) => redisStore(redis, { clock }), {
  atomicAcrossKeys: false,
  runs: 20,
});
describeVectors("the Redis store on a Cluster", (clock) => redisStore(redis, { clock }));

const ports = (): number[] => cluster.masters.map(({ port }) => port);
const ownerOf = (slot: number): RedisServer =>
  cluster.masters.find((_, i) => slot < Math.round(((i + 1) * 16_384) / 3)) as RedisServer;

async function connected(connect: (ports: readonly number[]) => Promise<Connected>): Promise<Connected> {
  const client = await connect(ports());
  // Nodes are connected to when first needed.
  await Promise.all(Array.from({ length: 50 }, (_, i) => consume(redisStore(client.client), policyOf(), `${i}`)));
  return client;
}

test("slots are those of the server", async () => {
  const first = cluster.masters[0] as RedisServer;
  const keys = ["a", "{a}b", "x{a}", "{}a", "{", "a{b", "a{}{b}", "é", "{é}a", "日本", "{🙂}", "a{b}c{d}", "123456789"];
  for (const key of keys) expect(`${hashSlot(key)}`).toBe(await first.cli("CLUSTER", "KEYSLOT", key));
});

for (const [name, connect] of Object.entries(CLUSTER)) {
  test(`A33 ${name}: no key of any decision leaves its slot, and slots are well spread`, async () => {
    const { client, close } = await connected(connect);
    const store = redisStore(client);
    const limiter = `a33-${name.replace(" ", "-")}`;
    const policies = ALGORITHMS.map((algorithm) => policyOf({ limiter, name: algorithm, algorithm }));
    const ids = Array.from({ length: 1_000 }, (_, i) => (i % 10 === 0 ? `{a}${i}}{ \n%é` : `user:${i * 7_919}`));
    const replies = await Promise.all(ids.map((id) => store.consume(policies.map((policy) => check(policy, id)))));
    expect(replies.every(({ allowed }) => allowed)).toBe(true);
    for (const id of [ids[0], ids[1]])
      for (const policy of policies) expect(await remainingOf(store, policy, id)).toBe(9);
    const keys = await Promise.all(cluster.masters.map((node) => node.cli("--raw", "KEYS", `rl:${limiter}/*`)));
    const counts = keys.map((list) => list.split("\n").filter((line) => line.startsWith("rl:")).length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(6_000);
    for (const count of counts) expect(count).toBeGreaterThan(1_500);
    await close();
  }, 30_000);

  test(`A36 ${name}: policies in different slots are charged all or none, and the decision says so`, async () => {
    const { client, close } = await connected(connect);
    const store = redisStore(client);
    for (const algorithm of ALGORITHMS) {
      const limiter = `a36-${name.replace(" ", "-")}-${algorithm}`;
      const user = policyOf({ limiter, name: "user", algorithm, limit: "2/day" });
      const site = policyOf({ limiter, name: "site", algorithm, limit: "10/day" });
      const ask = (id: string) => store.consume([check(user, id), check(site, "all")]);
      const answers = async (id: string, times: number) => {
        const replies = [];
        for (let i = 0; i < times; i++) replies.push(await ask(id));
        return replies;
      };
      const a = await answers("A", 20);
      expect(a.map(({ allowed }) => allowed)).toEqual(Array.from({ length: 20 }, (_, i) => i < 2));
      expect(a[0]?.compensated).toBeUndefined();
      expect(a[2]).toMatchObject({ allowed: false, policies: [{ allowed: false }, { allowed: true, remaining: 8 }] });
      const b = await answers("B", 9);
      expect(b.filter(({ allowed }) => allowed)).toHaveLength(2);
      expect(await remainingOf(store, site, "all")).toBe(6);
      expect((await answers("C", 3)).map(({ allowed }) => allowed)).toEqual([true, true, false]);
    }
    await close();
  }, 30_000);

  test(`A31 ${name}: scripts flushed on every node under way cost nothing but a round trip`, async () => {
    const { client, close } = await connected(connect);
    const store = redisStore(client);
    const policy = policyOf({ limit: "1000/day" });
    const keys = Array.from({ length: 60 }, (_, i) => `key ${i}`);
    const rounds = [];
    for (let round = 0; round < 5; round++) {
      rounds.push(...keys.map((key) => consume(store, policy, key)));
      await Promise.all(cluster.masters.map((node) => node.cli("SCRIPT", "FLUSH")));
    }
    expect((await Promise.all(rounds)).every(({ allowed }) => allowed)).toBe(true);
    expect(await Promise.all(keys.map((key) => remainingOf(store, policy, key)))).toEqual(keys.map(() => 995));
    await close();
  }, 30_000);

  test(`${name}: a slot that moves is followed, and each request counted once`, async () => {
    const { client, close } = await connected(connect);
    const store = redisStore(client);
    const policy = policyOf();
    const key = `rl:${policy.space}{somebody}`;
    const slot = `${hashSlot(key)}`;
    const from = ownerOf(Number(slot));
    const to = cluster.masters.find((node) => node !== from) as RedisServer;
    const [fromId, toId] = [await from.cli("CLUSTER", "MYID"), await to.cli("CLUSTER", "MYID")];
    await consume(store, policy);
    await to.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
    await from.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
    expect((await consume(store, policy)).policies[0]?.remaining).toBe(8);
    await from.cli("MIGRATE", to.host, `${to.port}`, key, "0", "1000");
    // ASK: the key has gone over, the slot has not.
    expect((await consume(store, policy)).policies[0]?.remaining).toBe(7);
    for (const node of [to, from]) await node.cli("CLUSTER", "SETSLOT", slot, "NODE", toId);
    // MOVED: now the slot has.
    expect((await consume(store, policy)).policies[0]?.remaining).toBe(6);
    expect((await consume(store, policy)).policies[0]?.remaining).toBe(5);
    await from.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", toId);
    await to.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", fromId);
    await to.cli("MIGRATE", from.host, `${from.port}`, key, "0", "1000");
    for (const node of [from, to]) await node.cli("CLUSTER", "SETSLOT", slot, "NODE", fromId);
    expect((await consume(store, policy)).policies[0]?.remaining).toBe(4);
    await close();
  }, 30_000);
}

test("A33 MOVED: a client that knows nothing of the Cluster it talks to is told so by a store error", async () => {
  for (const connect of Object.values(SINGLE)) {
    const { client, close } = await connect(ports()[0] as number);
    const policy = policyOf();
    const elsewhere = Array.from({ length: 100 }, (_, i) => `${i}`).find(
      (id) => ownerOf(hashSlot(`rl:${policy.space}${id}`)) !== cluster.masters[0],
    ) as string;
    await expect(consume(redisStore(client), policy, elsewhere)).rejects.toThrow("MOVED");
    expect(await codeOf(consume(redisStore(client), policy, elsewhere))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
    await close();
  }
});

test("A33 TRYAGAIN: policies of a key on the move are undecidable for a moment, and nothing is charged", async () => {
  const { client, close } = await connected(CLUSTER["node-redis 6"] as never);
  const store = redisStore(client);
  const policies = [policyOf(), policyOf()];
  const checks = policies.map((policy) => check(policy));
  await store.consume(checks);
  const slot = `${hashSlot("{somebody}")}`;
  const from = ownerOf(Number(slot));
  const to = cluster.masters.find((node) => node !== from) as RedisServer;
  const [fromId, toId] = [await from.cli("CLUSTER", "MYID"), await to.cli("CLUSTER", "MYID")];
  await to.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
  await from.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
  await from.cli("MIGRATE", to.host, `${to.port}`, `rl:${policies[0]?.space}{somebody}`, "0", "1000");
  await expect(store.consume(checks)).rejects.toMatchObject({ code: "ERR_AFORO_STORE_UNAVAILABLE" });
  await to.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", fromId);
  for (const node of [from, to]) await node.cli("CLUSTER", "SETSLOT", slot, "STABLE");
  await close();
}, 30_000);

test("a Cluster's client repeats what had no reply from a node: it is counted once", async () => {
  const proxies = await Promise.all(cluster.masters.map(({ port }) => startFaultProxy(port)));
  const natMap = Object.fromEntries(
    cluster.masters.map(({ host, port }, i) => [`${host}:${port}`, { host, port: proxies[i]?.port as number }]),
  );
  const nodes = proxies.map(({ host, port }) => ({ host, port }));
  const client = await ready(new Cluster(nodes, { natMap, retryDelayOnFailover: 20, redisOptions: IMPATIENT.ioredis }));
  const store = redisStore(client);
  const policy = policyOf();
  await consume(store, policy);
  const owner = proxies[cluster.masters.indexOf(ownerOf(hashSlot("{somebody}")))];
  await owner?.set("cut-reply");
  const cut = codeOf(consume(store, policy));
  await waitFor("Redis has counted it", async () => (await remainingOf(redisStore(redis), policy)) === 8);
  await owner?.set("none");
  expect(await cut).toBe("ERR_AFORO_STORE_UNAVAILABLE");
  await waitFor("it is back", () =>
    consume(store, policy).then(
      () => true,
      () => false,
    ),
  );
  expect(await remainingOf(redisStore(redis), policy)).toBe(7);
  client.disconnect();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
}, 30_000);

test("a node that is down makes its own keys unavailable, and no others", async () => {
  const other = await startCluster();
  const nodes = other.masters.map(({ host, port }) => ({ host, port }));
  const client = await ready(new Cluster(nodes, { clusterRetryStrategy: () => 50, redisOptions: IMPATIENT.ioredis }));
  const store = redisStore(client);
  const policy = policyOf({ limit: "100000/day" });
  const keys = Array.from({ length: 30 }, (_, i) => `key ${i}`);
  await Promise.all(keys.map((key) => consume(store, policy, key)));
  for (const node of other.masters) await node.cli("CONFIG", "SET", "cluster-require-full-coverage", "no");
  await other.masters[0]?.kill();
  const lost = keys.filter((key) => hashSlot(`{${key}}`) < Math.round(16_384 / 3));
  const kept = keys.filter((key) => !lost.includes(key));
  await waitFor(
    "the client has noticed",
    () => !client.nodes("master").some(({ options }) => options.port === nodes[0]?.port),
  );
  expect((await Promise.all(kept.map((key) => consume(store, policy, key)))).every(({ allowed }) => allowed)).toBe(
    true,
  );
  expect(await codeOf(consume(store, policy, lost[0]))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
  client.disconnect();
  await other.stop();
}, 30_000);

test("a plain connection is not taken for a Cluster's", async () => {
  const single = new Redis(ports()[0] as number, { lazyConnect: true });
  expect(redisStore(single).kind).toBe("redis");
  single.disconnect();
});
