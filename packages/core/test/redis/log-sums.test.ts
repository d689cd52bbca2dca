import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { redisStore } from "../../src/redis/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { ready } from "./clients.ts";
import { consume, policyOf, remainingOf } from "./policies.ts";

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

test("the running sums of a log begin anew before they stop being exact", async () => {
  const clock = manualClock();
  const store = redisStore(redis, { clock });
  const policy = policyOf({ algorithm: "sliding-window-log", limit: 100, window: 60_000 });
  const key = `rl:${policy.space}somebody`;
  const full = 2 ** 52;
  // As after years of use: block, head, units before each entry and their times. Three units count.
  await redis.set(key, doubles(0, 0, full - 3, clock() - 1_000, full - 2, clock() - 500, full), "PX", 120_000);
  expect(await remainingOf(store, policy)).toBe(97);

  expect((await consume(store, policy)).policies[0]?.remaining).toBe(96);
  const state = await redis.getBuffer(key);
  expect([16, 32, 48, 64].map((at) => state?.readDoubleBE(at))).toEqual([0, 1, 3, 4]);
  expect(await remainingOf(store, policy)).toBe(96);
  clock.advance(59_400);
  expect(await remainingOf(store, policy)).toBe(97);
});

function doubles(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeDoubleBE(number, 8 * index);
  return bytes;
}
