import { once } from "node:events";
import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis5";
import {
  startFaultProxy,
  startRedis,
  waitFor,
  type FaultProxy,
  type RedisServer,
} from "../../../testkit/src/redis/index.ts";
import { redisStore, type RedisCommands } from "../../src/redis/index.ts";
import { SINGLE, ready } from "./clients.ts";
import { check, codeOf, consume, policyOf, remainingOf } from "./policies.ts";

let server: RedisServer;
let proxy: FaultProxy;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  proxy = await startFaultProxy(server.port);
  redis = await ready(new Redis(server.port));
});

afterAll(async () => {
  redis.disconnect();
  await proxy.stop();
  await server.stop();
});

/** Hands the calls to the client's own commands and writes them down. */
function recording(): RedisCommands & { readonly sent: { keys: readonly string[]; args: readonly string[] }[] } {
  const sent: { keys: readonly string[]; args: readonly string[] }[] = [];
  return {
    sent,
    ready: () => true,
    evalsha(sha1, keys, args) {
      sent.push({ keys, args });
      return redis.evalsha(sha1, keys.length, ...keys, ...args);
    },
    eval: (lua, keys, args) => redis.eval(lua, keys.length, ...keys, ...args),
  };
}

describe("a batch", () => {
  test("is all that was asked for in one turn of the event loop, in order", async () => {
    const commands = recording();
    const store = redisStore(commands);
    const policy = policyOf({ limit: "1000/day" });
    const ask = (n: number) => Array.from({ length: n }, (_, i) => consume(store, policy, `k${i % 7}`));
    await Promise.all(ask(32));
    expect(commands.sent.map(({ keys }) => keys.length)).toEqual([32]);
    const later = ask(20);
    await Promise.resolve();
    const mixed = [...later, ...ask(3), store.peek([check(policy, "k0", 0)]), store.reset([check(policy, "k0", 0)])];
    const last = await Promise.all([...mixed, store.peek([check(policy, "k0", 0)])]);
    expect(commands.sent.map(({ keys }) => keys.length)).toEqual([32, 26]);
    expect(last.at(-1)).toMatchObject({ policies: [{ remaining: 1000 }] });
    expect(last.at(-3)).toMatchObject({ policies: [{ remaining: 1000 - 5 - 3 - 1 }] });
  });

  test("that is large goes in two calls, in order, so that the server and this process work at once", async () => {
    const commands = recording();
    const store = redisStore(commands);
    const policy = policyOf({ limit: "1000/day" });
    const replies = await Promise.all(Array.from({ length: 65 }, () => consume(store, policy, "k")));
    expect(commands.sent.map(({ keys }) => keys.length)).toEqual([33, 32]);
    expect(replies.map(({ policies }) => policies[0]?.remaining)).toEqual(replies.map((_, i) => 999 - i));
  });

  test("is halved between requests, whatever their number of keys, and not where something else than consuming is asked", async () => {
    const commands = recording();
    const store = redisStore(commands);
    const checks = [policyOf({ limit: "1000/day" }), policyOf({ limit: "1000/day" })].map((policy) => check(policy));
    const ask = (n: number) => Array.from({ length: n }, () => store.consume(checks));
    const sizes = () => commands.sent.splice(0).map(({ keys }) => keys.length);
    await Promise.all(ask(33));
    expect(sizes()).toEqual([34, 32]);
    await Promise.all(Array.from({ length: 33 }, () => store.consume(checks.slice(1))));
    expect(sizes()).toEqual([17, 16]);
    await Promise.all([...ask(20), store.reset(checks), ...ask(20)]);
    expect(sizes()).toEqual([82]);
  });

  test("is cut where it would hold up others", async () => {
    const commands = recording();
    const store = redisStore(commands);
    const checks = [policyOf(), policyOf(), policyOf()].map((policy) => check(policy));
    await Promise.all(Array.from({ length: 400 }, () => store.consume(checks)));
    expect(commands.sent.map(({ keys }) => keys.length)).toEqual([510, 510, 180]);
  });

  test("declares every key that it touches, and nothing else", async () => {
    const commands = recording();
    const policy = policyOf();
    await consume(redisStore(commands), policy, "a b\n☃");
    expect(commands.sent[0]?.keys).toEqual([`rl:${policy.space}a b\n☃`]);
    expect(await redis.exists(`rl:${policy.space}a b\n☃`)).toBe(1);
  });
});

describe("what is sent", () => {
  for (const [name, connect] of Object.entries(SINGLE)) {
    test(`${name}: nothing while the client is not connected, and nothing waits for it`, async () => {
      const { client, isReady, close } = await connect(proxy.port);
      const store = redisStore(client);
      const policy = policyOf();
      await consume(store, policy);
      await proxy.set("refuse");
      await waitFor("the client has noticed", () => !isReady());
      const codes: string[] = [];
      for (let i = 0; i < 20; i++) void codeOf(consume(store, policy)).then((code) => codes.push(code));
      // Turns of the event loop, and not a time: what waits for anything outside this process takes longer.
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(codes).toEqual(Array.from({ length: 20 }, () => "ERR_AFORO_STORE_UNAVAILABLE"));
      await proxy.set("none");
      await waitFor("it is back", isReady);
      await consume(store, policy);
      // One before, one now; what was refused meanwhile was sent by nobody.
      expect(await remainingOf(store, policy)).toBe(8);
      await close();
    });

    test(`${name}: a call whose reply is cut off is counted once`, async () => {
      const { client, isReady, close } = await connect(proxy.port);
      const store = redisStore(client);
      const policy = policyOf();
      await consume(store, policy);
      await proxy.set("cut-reply");
      const cut = failed(consume(store, policy));
      await waitFor("Redis has counted it", async () => (await remainingOf(redisStore(redis), policy)) === 8);
      // The reply may still be on its way to the proxy.
      await waitFor("the client has noticed", () => !isReady());
      await proxy.set("none");
      expect(await cut).toBe("ERR_AFORO_STORE_UNAVAILABLE");
      await waitFor("it is back", isReady);
      await consume(store, policy);
      expect(await remainingOf(redisStore(redis), policy)).toBe(7);
      await close();
    });

    test(`${name}: nothing after its deadline`, async () => {
      const { client, close } = await connect(server.port);
      const store = redisStore(client);
      const policy = policyOf();
      const late = store.consume([check(policy)], { deadline: performance.now() - 1 });
      const inTime = store.consume([check(policy)], { deadline: performance.now() + 10_000 });
      expect(await codeOf(late)).toBe("ERR_AFORO_STORE_TIMEOUT");
      expect((await inTime).policies[0]?.remaining).toBe(9);
      await close();
    });

    test(`${name}: nothing after close, and the client is left as it was`, async () => {
      const { client, close } = await connect(server.port);
      const own = Object.getOwnPropertyNames(client);
      const store = redisStore(client);
      const policy = policyOf();
      await consume(store, policy);
      await store.close();
      await store.close();
      expect(await codeOf(consume(store, policy))).toBe("ERR_AFORO_CLOSED");
      expect(await codeOf(store.peek([check(policy, "somebody", 0)]))).toBe("ERR_AFORO_CLOSED");
      expect(Object.getOwnPropertyNames(client)).toEqual(own);
      const { ping } = client as unknown as { ping(): Promise<string> };
      expect(await ping.call(client)).toBe("PONG");
      await close();
    });
  }

  test("a client that has a queue of its own does not send late what was queued in it", async () => {
    for (const client of [new Redis(proxy.port), new Redis5(proxy.port) as unknown as Redis]) {
      await ready(client);
      const store = redisStore(client);
      const policy = policyOf();
      await consume(store, policy);
      // Its socket is gone, but it still calls itself ready: the command lands in the offline queue.
      const closed = once(client, "close");
      client.stream.destroy();
      let now = 1_000;
      const time = jest.spyOn(performance, "now").mockImplementation(() => now);
      const queued = failed(store.consume([check(policy)], { deadline: now + 20 }));
      await closed;
      now += 30;
      await waitFor("it is back", () => client.status === "ready");
      expect(await queued).toBe("ERR_AFORO_STORE_UNAVAILABLE");
      time.mockRestore();
      expect(await remainingOf(store, policy)).toBe(9);
      client.disconnect();
    }
  });
});

describe("a reply that makes no sense", () => {
  const junk = [
    null,
    undefined,
    5,
    true,
    [],
    {},
    "",
    "%",
    "!%",
    "~~~",
    "Q",
    "ZZZZ",
    Buffer.from([0xff, 0xfe]),
    "\u2603",
  ];
  for (const reply of junk) {
    test(`rejects all that waited for it: ${JSON.stringify(reply)}`, async () => {
      const commands = { ready: () => true, evalsha: async () => reply, eval: async () => reply };
      const store = redisStore(commands);
      const policy = policyOf();
      const asked = [
        consume(store, policy),
        store.consume([check(policy), check(policyOf())]),
        store.peek([check(policy, "a", 0)]),
        store.inspect([check(policy, "a", 0)]),
        store.reset([check(policy, "a", 0)]),
      ];
      for (const answer of asked) expect(await codeOf(answer)).toBe("ERR_AFORO_STORE_REPLY");
    });
  }

  test("a client that throws is a store that is unavailable", async () => {
    const fails = (): never => {
      throw new Error("boom");
    };
    for (const commands of [
      { ready: () => true, evalsha: fails, eval: fails },
      { ready: fails, evalsha: fails, eval: fails },
    ]) {
      expect(await codeOf(consume(redisStore(commands), policyOf()))).toBe("ERR_AFORO_STORE_UNAVAILABLE");
    }
  });
});

async function failed(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
}
