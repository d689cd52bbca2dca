import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { checkPolicy } from "../../src/domain/policy.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { AsyncStore } from "../../src/domain/store.ts";
import { redisStore } from "../../src/redis/index.ts";
import { describeVectors } from "../vectors/store-subject.ts";
import { ready } from "./clients.ts";
import { check, codeOf, consume, policyOf } from "./policies.ts";

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

// Lua spreads no more than some thousands of values over its stack, so that a long reply is put together in pieces.
describe("a reply of many thousand bytes", () => {
  test("tells of each key what it tells of it alone", async () => {
    // Each of these numbers takes six digits: 900 of them are longer than one piece.
    const policy = policyOf({ limit: "9000000000/day", algorithm: "fixed-window" });
    const store = redisStore(redis);
    const costs = Array.from({ length: 900 }, (_, i) => 1_700_000_000 + i);
    const checks = costs.map((cost, i) => check(policy, `long ${i}`, cost));
    await Promise.all(checks.map((each) => store.charge([each])));
    await Promise.all(checks.map((each) => store.charge([each])));
    const looks = checks.map(({ stateKey }) => check(policy, stateKey, 0));
    // One request is never divided, and has all its numbers in one reply.
    const { policies } = await store.peek(looks);
    expect(policies.map(({ remaining }) => remaining)).toEqual(costs.map((cost) => 9_000_000_000 - 2 * cost));
    const together = await Promise.all(checks.slice(0, 300).map((each) => consume(store, policy, each.stateKey)));
    expect(together.map(({ policies: [told] }) => told?.remaining)).toEqual(
      costs.slice(0, 300).map((cost) => 9_000_000_000 - 2 * cost - 1),
    );
  });

  test("that says of each why it could not be read", async () => {
    const policy = policyOf();
    const store = redisStore(redis);
    const keys = Array.from({ length: 512 }, (_, i) => `foreign ${i}`);
    await Promise.all(keys.map((key) => redis.rpush(`rl:${policy.space}${key}`, "x")));
    const codes = await Promise.all(keys.map((key) => codeOf(store.peek([check(policy, key, 0)]))));
    expect(new Set(codes)).toEqual(new Set(["ERR_AFORO_STORE_REPLY"]));
    expect(codes).toHaveLength(512);
  });
});
