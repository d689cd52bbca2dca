import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { redisStore } from "../../src/redis/index.ts";
import { ready } from "./clients.ts";
import { describeStoreContract } from "../../src/testing/store-contract.ts";
import { describeVectors } from "../vectors/store-subject.ts";

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

describeStoreContract("the Redis store", (clock) => redisStore(redis, { clock }));
describeVectors("the Redis store", (clock) => redisStore(redis, { clock }));
