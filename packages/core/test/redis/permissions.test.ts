import { Redis } from "ioredis";
import { startRedis, type RedisServer } from "../../../testkit/src/redis/index.ts";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import type { AsyncStore } from "../../src/domain/store.ts";
import { MINIMUM_ACL, redisStore } from "../../src/redis/index.ts";
import { ready } from "./clients.ts";
import { check, policyOf } from "./policies.ts";

let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  server = await startRedis();
  admin = await ready(new Redis(server.port));
});

afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

/** What the client sends on its own account. */
const CLIENT = ["+hello", "+client", "+info", "+ping"];

async function asUser(rules: readonly string[], use: (store: AsyncStore) => Promise<void>): Promise<void> {
  await admin.call("ACL", "SETUSER", "limiter", "reset", "on", ">secret", ...CLIENT, ...rules);
  await admin.script("FLUSH");
  const client = await ready(new Redis(server.port, { username: "limiter", password: "secret" }));
  try {
    await use(redisStore(client, { denyCache: false }));
  } finally {
    client.disconnect();
  }
}

/** Everything that a store does, and for each algorithm what is usual and what is not. */
async function doEverything(store: AsyncStore): Promise<void> {
  for (const algorithm of ALGORITHMS) {
    const policy = policyOf({ algorithm, limit: "200/day" });
    const one = check(policy);
    const { policies } = await store.consume([one]);
    // Entries of one ms merge; a log is patched once it is long.
    const entries = algorithm === "sliding-window-log" ? 70 : 0;
    for (let i = 0; i < entries; i++) {
      await store.consume([one]);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await store.consume([one]);
    for (let i = 0; i < 2; i++) await store.consume([check(policy, "somebody", 110)]);
    await store.consume([one, check(policyOf())]);
    const receipt = policies[0]?.receipt as number;
    await store.raise([{ ...one, cost: 2, earlier: { cost: 1, receipt } }]);
    await store.refund([{ ...one, receipt }]);
    await store.peek([check(policy, "somebody", 0)]);
    await store.inspect([one]);
    await store.block([one], 1_000);
    await store.charge([check(policy, "somebody", 500)]);
    await store.consume([one]);
    await store.block([one], 0);
    await store.reset([one]);
    await store.block([one], 1_000);
    await store.block([one], 0);
  }
}

test("the documented minimum suffices for everything", async () => {
  await asUser(["~rl:*", ...MINIMUM_ACL.split(" ")], doEverything);
});

for (const right of MINIMUM_ACL.split(" ")) {
  test(`and is a minimum: without ${right} the error names the command`, async () => {
    const others = MINIMUM_ACL.split(" ").filter((other) => other !== right);
    const command = right.slice(1).toUpperCase();
    await asUser(["~rl:*", ...others], async (store) => {
      await expect(doEverything(store)).rejects.toMatchObject({
        code: "ERR_AFORO_STORE_PERMISSION",
        message: expect.stringMatching(
          new RegExp(`\\b${command}\\b.*${MINIMUM_ACL.replaceAll("+", "\\+")}`, "i"),
        ) as string,
      });
    });
  });
}

test("keys that the user may not touch are a missing permission too", async () => {
  await asUser(["~other:*", ...MINIMUM_ACL.split(" ")], async (store) => {
    await expect(store.consume([check(policyOf())])).rejects.toMatchObject({ code: "ERR_AFORO_STORE_PERMISSION" });
  });
});
