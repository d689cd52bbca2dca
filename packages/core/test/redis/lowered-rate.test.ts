import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import type { Reply } from "../../src/domain/store.ts";
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
      let key: string;
      let began: number;
      let denied: Reply;
      // Again with another key when the machine stalled: within a second the key expires at the old rate, as it should.
      do {
        key = randomUUID();
        began = performance.now();
        expect((await store.consume([check(plan(1_000), key, 1_000)])).allowed).toBe(true);
        denied = await store.consume([check(plan(1), key, 500)]);
      } while (performance.now() - began > 800);
      expect(denied.allowed).toBe(false);
      expect(denied.policies[0]?.retryAfterMs).toBeGreaterThan(40_000);
      await pause(1_200);
      // Some 12 units have drained. Redis: the key has expired, and all 1,000 are there again.
      expect([store.kind, (await store.consume([check(plan(1), key, 500)])).allowed]).toEqual([store.kind, false]);
    }
  },
);
