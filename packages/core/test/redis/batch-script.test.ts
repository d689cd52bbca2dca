import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { checkPolicy } from "../../src/domain/policy.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { AsyncStore } from "../../src/domain/store.ts";
import { redisStore } from "../../src/redis/index.ts";
import { describeVectors } from "../vectors/store-subject.ts";
import { ready } from "./clients.ts";

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

const bystander = checkPolicy("batch", { name: "bystander", limit: "1/minute" }, "policy").fixed as ResolvedPolicy;

// Requests of one kind have scripts of their own; among others of their turn they go by the general one.
describeVectors("the Redis store in mixed batches", (clock) => {
  const store = redisStore(redis, { clock });
  const inCompany = <A extends unknown[], T>(verb: (...args: A) => Promise<T>) => {
    return async (...args: A): Promise<T> => {
      const [, answer] = await Promise.all([
        store.peek([{ policy: bystander, stateKey: "somebody else", cost: 0 }]),
        verb(...args),
      ]);
      return answer;
    };
  };
  const accompanied: AsyncStore = {
    sync: false,
    kind: "redis",
    consume: inCompany((checks) => store.consume(checks)),
    raise: inCompany((checks) => store.raise(checks)),
    peek: inCompany((checks) => store.peek(checks)),
    charge: inCompany((checks) => store.charge(checks)),
    refund: inCompany((refunds) => store.refund(refunds)),
    reset: inCompany((checks) => store.reset(checks)),
    block: (checks, ms) => store.block(checks, ms),
    inspect: (checks) => store.inspect(checks),
    close: () => store.close(),
  };
  return accompanied;
});
