import { Redis } from "ioredis";
import { startRedis, waitFor, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { redisStore } from "../../src/redis/index.ts";
import { ready } from "./clients.ts";
import { check, codeOf, consume, policyOf, remainingOf } from "./policies.ts";

let server: RedisServer;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await ready(new Redis(server.port));
});

afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

async function otherServer(args: readonly string[], use: (server: RedisServer) => Promise<void>): Promise<void> {
  const other = await startRedis(args);
  try {
    await use(other);
  } finally {
    await other.stop();
  }
}

async function calls(command: string): Promise<number> {
  const stats = await server.cli("INFO", "commandstats");
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
}

describe("A31 a script cache that was emptied", () => {
  test("costs one more round trip and no more than one unit", async () => {
    const store = redisStore(redis);
    for (const algorithm of ALGORITHMS) {
      const five = policyOf({ algorithm, limit: "5/day" });
      expect((await consume(store, five)).policies[0]?.remaining).toBe(4);
      await server.cli("SCRIPT", "FLUSH");
      expect((await consume(store, five)).policies[0]?.remaining).toBe(3);
    }
  });

  test("50 calls at once that find no script are counted once each", async () => {
    const many = Array.from({ length: 50 }, () => redisStore(redis));
    const policy = policyOf({ limit: "1000/day" });
    await server.cli("SCRIPT", "FLUSH");
    await server.cli("CONFIG", "RESETSTAT");
    const replies = await Promise.all(many.map((store) => consume(store, policy)));
    expect(await calls("eval")).toBe(50);
    expect(new Set(replies.map(({ policies }) => policies[0]?.remaining)).size).toBe(50);
    expect(await remainingOf(redisStore(redis), policy)).toBe(950);
  });

  test("a restart without persistence begins anew, and the client needs no restart", async () => {
    await otherServer([], async (other) => {
      const client = await ready(new Redis(other.port));
      const store = redisStore(client);
      const five = policyOf({ limit: "5/day", algorithm: "fixed-window" });
      await consume(store, five);
      await other.restart();
      await waitFor("the client is back", () => client.status === "ready");
      expect((await consume(store, five)).policies[0]?.remaining).toBe(4);
      client.disconnect();
    });
  });
});

describe("A32 a server that cannot serve", () => {
  test("READONLY: the store is unavailable while its server is a replica, and counts again when it is not", async () => {
    await otherServer([], async (other) => {
      const client = await ready(new Redis(other.port));
      const store = redisStore(client);
      const policies = ALGORITHMS.map((algorithm) => policyOf({ algorithm }));
      for (const policy of policies) await consume(store, policy);
      await other.cli("REPLICAOF", "127.0.0.1", "1");
      for (const policy of policies) {
        await expect(consume(store, policy)).rejects.toThrow("READONLY");
        expect(await codeOf(consume(store, policy))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
        expect(await codeOf(store.charge([check(policy)]))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
      }
      await other.cli("REPLICAOF", "NO", "ONE");
      for (const policy of policies) expect((await consume(store, policy)).allowed).toBe(true);
      client.disconnect();
    });
  });

  test("MASTERDOWN, CLUSTERDOWN and LOADING: the store is unavailable", async () => {
    const replica = ["--replicaof", "127.0.0.1 1", "--replica-serve-stale-data", "no"];
    for (const args of [replica, ["--cluster-enabled", "yes"]]) {
      await otherServer(args, async (other) => {
        const client = await ready(new Redis(other.port, { enableReadyCheck: false }));
        const failure = consume(redisStore(client), policyOf());
        await expect(failure).rejects.toThrow(args === replica ? "MASTERDOWN" : "CLUSTERDOWN");
        expect(await codeOf(failure)).toBe("ERR_AFORO_STORE_UNAVAILABLE");
        client.disconnect();
      });
    }
    await otherServer(
      ["--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024"],
      async (other) => {
        await other.cli("EVAL", "for i = 1, 3000 do redis.call('SET', 'key' .. i, '') end", "0");
        await other.cli("SAVE");
        await other.restart();
        const client = await ready(new Redis(other.port, { enableReadyCheck: false }));
        await expect(consume(redisStore(client), policyOf())).rejects.toThrow("LOADING");
        client.disconnect();
      },
    );
  });

  test("BUSY: a script of somebody else that does not end makes the store unavailable", async () => {
    await otherServer(["--busy-reply-threshold", "1"], async (other) => {
      const client = await ready(new Redis(other.port));
      const endless = client.duplicate();
      const running = endless.eval("while true do end", 0).catch(() => "killed");
      await waitFor("it is busy", async () => (await other.cli("PING")).includes("BUSY"));
      expect(await codeOf(consume(redisStore(client), policyOf()))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
      await other.cli("SCRIPT", "KILL");
      await running;
      endless.disconnect();
      client.disconnect();
    });
  });

  test("OOM: a full server is told apart, and what is there can still be read", async () => {
    await otherServer(["--maxmemory-policy", "noeviction"], async (other) => {
      const client = await ready(new Redis(other.port));
      const store = redisStore(client);
      const policies = ALGORITHMS.map((algorithm) => policyOf({ algorithm }));
      for (const policy of policies) await consume(store, policy);
      await other.cli("CONFIG", "SET", "maxmemory", "1");
      for (const policy of policies) {
        expect(await codeOf(consume(store, policy))).toBe("ERR_AFORO_STORE_MEMORY");
        expect(await remainingOf(store, policy)).toBe(9);
      }
      await other.cli("CONFIG", "SET", "maxmemory", "0");
      for (const policy of policies) expect((await consume(store, policy)).policies[0]?.remaining).toBe(8);
      client.disconnect();
    });
  });
});

describe("a key that holds something else", () => {
  for (const algorithm of ALGORITHMS) {
    test(`${algorithm}: fails alone, whatever it holds`, async () => {
      const store = redisStore(redis);
      const policy = policyOf({ algorithm });
      const key = `rl:${policy.space}odd`;
      const puts: string[][] = [
        ["RPUSH", key, "x"],
        ["SET", key, "hello"],
        ["SET", key, "b"],
        ["SET", key, "b12345678"],
        ["SET", key, "1.5"],
      ];
      for (const put of puts) {
        await redis.del(key);
        await redis.call(put[0] as string, ...put.slice(1));
        const answers = await Promise.allSettled(["a", "odd", "z"].map((stateKey) => consume(store, policy, stateKey)));
        expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
        const [peeked, inspected, refunded, charged] = [
          store.peek([check(policy, "odd", 0)]),
          store.inspect([check(policy, "odd", 0)]),
          store.refund([{ ...check(policy, "odd"), receipt: 1 }]),
          store.charge([check(policy, "odd")]),
        ].map(codeOf);
        for (const code of [peeked, inspected, refunded, charged]) expect(await code).toBe("ERR_AFORO_STORE_REPLY");
      }
      await store.reset([check(policy, "odd", 0)]);
      expect((await consume(store, policy, "odd")).allowed).toBe(true);
    });
  }

  test("a shadow policy that cannot be read is no part of the answer", async () => {
    const store = redisStore(redis);
    const limiter = `shadow-${process.pid}-${Date.now()}`;
    const enforced = policyOf({ limiter, name: "enforced", limit: "2/day" });
    const shadow = policyOf({ limiter, name: "shadow", mode: "shadow" });
    await redis.rpush(`rl:${shadow.space}somebody`, "x");
    const checks = [check(enforced), check(shadow)];
    expect((await store.consume(checks)).policies.map(({ allowed }) => allowed)).toEqual([true, true]);
    await store.consume(checks);
    expect((await store.consume(checks)).allowed).toBe(false);
  });
});
