import { createLimiter, ip, user } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { Redis } from "ioredis";
import { aforo, type Run } from "../support/aforo.ts";

jest.setTimeout(120_000);

const POLICY = ["--policy", "test/support/live-policy.mjs"];
const ADDRESS = "203.0.113.9";
let server: RedisServer;
let client: Redis;

const run = (...args: readonly string[]): Promise<Run> => aforo([...args, ...POLICY, "--redis", server.url]);

beforeAll(async () => {
  server = await startRedis();
  client = new Redis(server.url);
  // Until it is connected the limiter would decide by itself.
  await client.ping();
});

afterAll(async () => {
  client.disconnect();
  await server.stop();
});

/** What the application does at the same time, in a process of its own. */
function application(): ReturnType<typeof createLimiter<never>> {
  return createLimiter<never>({
    name: "api",
    store: redisStore(client, { denyCache: false }),
    shared: true,
    storeTimeoutMs: 30_000,
    policies: [
      { name: "account", algorithm: "token-bucket", limit: "5/day" },
      { name: "network", algorithm: "gcra", limit: "100/day" },
    ],
  });
}

describe("against a live Redis", () => {
  test("inspect tells what a key has used, reset forgets it, block denies it for a while", async () => {
    const limiter = application();
    const key = ip.key(ADDRESS);
    for (let i = 0; i < 4; i++) expect(await limiter.consume(key)).toMatchObject({ allowed: true });

    const inspected = await run("inspect", ADDRESS, "--json");
    expect([inspected.code, inspected.stderr]).toEqual([0, ""]);
    const report = JSON.parse(inspected.stdout) as {
      policies: { name: string; remaining: number }[];
      explanation: string[];
    };
    expect(report.policies.map(({ name, remaining }) => [name, remaining])).toEqual([
      ["account", 1],
      ["network", 96],
    ]);
    expect(report.explanation.join()).toMatch(/Policy "account" \(5 per 1 day, token-bucket\).*Policy "network"/);

    const reset = await run("reset", `ip:${ADDRESS}`, "--only", "account");
    expect([reset.code, reset.stdout, reset.stderr]).toEqual([0, `ip:${ADDRESS}: forgotten in account\n`, ""]);
    expect((await limiter.peek(key)).policies.map(({ remaining }) => remaining)).toEqual([5, 96]);

    const blocked = await run("block", ADDRESS, "1h");
    expect([blocked.code, blocked.stdout]).toEqual([0, `${ADDRESS}: blocked for 1 h in account, network\n`]);
    expect(await limiter.consume(key)).toMatchObject({ allowed: false, reason: "blocked" });
    expect((await run("inspect", ADDRESS)).stdout).toMatch(/blocked for another/);

    expect((await run("block", ADDRESS, "0", "--json")).stdout).toBe(
      `${JSON.stringify({ key: ADDRESS, limiter: "api", blocked: ["account", "network"], ms: 0 }, undefined, 2)}\n`,
    );
    expect(await limiter.consume(key)).toMatchObject({ allowed: true });
    await limiter.close();
  });

  test("users have keys of their own, and a credential is not repeated", async () => {
    const limiter = application();
    await limiter.consume(user.key("42"));
    const { stdout } = await run("inspect", "user:42", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ key: "user:42", policies: [{ remaining: 4 }, { remaining: 99 }] });
    const secret = await run("inspect", "api-key:s3cr3t");
    expect(secret.code).toBe(0);
    expect(secret.stdout + secret.stderr).not.toContain("s3cr3t");
    await limiter.close();
  });

  test("a server that does not answer ends with 1 and does not show the password", async () => {
    const { code, stderr } = await aforo(["inspect", "user:42", ...POLICY, "--redis", "redis://:s3cr3t@127.0.0.1:1"]);
    expect(stderr).toMatch(/^aforo: 127\.0\.0\.1:1 does not answer: /);
    expect(stderr).not.toContain("s3cr3t");
    expect(code).toBe(1);
  });

  test.each([
    [["inspect", "somebody"], /KEY must be an address, user:ID, api-key:SECRET/],
    [["inspect", "ip:x"], /"x" is no address/],
    [["reset", "user:1", "--only", "acount"], /"--only" must be one of the file's policies, account, network/],
    [["block", "user:1", "forever"], /It must be a duration such as/],
    [["inspect", "user:1", "--redis", "localhost"], /"--redis" must be an address such as redis:/],
  ])("%p is wrong and ends with 2", async (args, message) => {
    const { code, stderr } = await aforo([...args.slice(0, 2), ...POLICY, "--redis", server.url, ...args.slice(2)]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  test("without an address the states must be the module's own", async () => {
    const { code, stderr } = await aforo(["inspect", "user:1", ...POLICY]);
    expect(stderr).toMatch(/say where the live states are: --redis/);
    expect(code).toBe(2);
    const own = await aforo(["inspect", "user:1", "--policy", "test/support/own-store-policy.mjs", "--json"], {
      env: { TEST_REDIS: server.url },
    });
    expect([own.code, own.stderr]).toEqual([0, ""]);
    expect(JSON.parse(own.stdout)).toMatchObject({ limiter: "own", policies: [{ remaining: 9 }] });
  });
});
