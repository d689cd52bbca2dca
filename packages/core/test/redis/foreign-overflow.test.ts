import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { redisStore } from "../../src/redis/index.ts";
import { ready } from "./clients.ts";
import { consume, policyOf } from "./policies.ts";

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

test.each(["fixed-window", "sliding-window-counter", "gcra"] as const)(
  "%s: a key that holds the largest integer fails its own request alone, and nobody else is charged for it",
  async (algorithm) => {
    const store = redisStore(redis);
    const policy = policyOf({ algorithm, limit: 5, window: 60_000 });
    await redis.set(`rl:${policy.space}bad`, "9223372036854775807");
    const answers = await Promise.allSettled(["a", "bad", "b"].map((key) => consume(store, policy, key)));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  },
);
