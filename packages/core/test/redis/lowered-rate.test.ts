import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { redisStore } from "../../src/redis/index.ts";
import { ready } from "./clients.ts";
import { check, policyOf } from "./policies.ts";

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

test.each(["token-bucket", "leaky-bucket"] as const)(
  "%s: what was used stays used when the rate is lowered, however long that takes to drain",
  async (algorithm) => {
    // 1,000 at once; drained within 100 ms at the old rate, within 100 s at the new one.
    const plan = (limit: number) =>
      policyOf({ limiter: "plan", name: algorithm, algorithm, limit, window: 100, burst: 1_000 });
    for (const store of [memoryStore(), redisStore(redis, { denyCache: false })]) {
      expect((await store.consume([check(plan(1_000), "k", 1_000)])).allowed).toBe(true);
      const denied = await store.consume([check(plan(1), "k", 500)]);
      expect(denied.allowed).toBe(false);
      expect(denied.policies[0]?.retryAfterMs).toBeGreaterThan(40_000);
      await pause(1_200);
      // Some 12 units have drained. Redis: the key has expired, and all 1,000 are there again.
      expect([store.kind, (await store.consume([check(plan(1), "k", 500)])).allowed]).toEqual([store.kind, false]);
    }
  },
);
