import { Client } from "@aforo/testkit";
import { startFaultProxy, startRedis, waitFor, type FaultProxy, type RedisServer } from "@aforo/testkit/redis";
import { once } from "node:events";
import express, { type Express } from "express";
import { Redis } from "ioredis";
import { createServer, type Server } from "node:http";
import { rateLimit, redisStore, type RateLimit, type RateLimitOptions, type Source } from "../../src/index.ts";

let redis: RedisServer;
let proxy: FaultProxy;
const BY_STORE: ReadonlySet<Source> = new Set(["store", "deny-cache"]);
/** A busy machine is no outage; a server that is down is one at once. */
const PATIENT = { storeTimeoutMs: 30_000 };
const clients: Redis[] = [];
const servers: Server[] = [];
const limits: RateLimit[] = [];
const unhandled = jest.fn();

beforeEach(async () => {
  process.on("unhandledRejection", unhandled);
  redis = await startRedis();
  proxy = await startFaultProxy(redis.port);
});

afterEach(async () => {
  for (const limit of limits.splice(0)) await limit.limiter.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  for (const client of clients.splice(0)) client.disconnect();
  await proxy.stop();
  await redis.stop();
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

/** As an application has one: with its offline queue and its reconnects. */
function connect(): Redis {
  const client = new Redis(proxy.port, proxy.host, { retryStrategy: () => 50 });
  client.on("error", () => {});
  clients.push(client);
  return client;
}

function limit(client: Redis, options: RateLimitOptions): RateLimit {
  const made = rateLimit({
    store: redisStore(client),
    limit: "2/day",
    algorithm: "fixed-window",
    key: () => "everybody",
    probeIntervalMs: 50,
    ...options,
  });
  limits.push(made);
  return made;
}

async function serve(...middleware: RateLimit[]): Promise<Client> {
  const app: Express = express();
  if (middleware.length > 0) app.use(...middleware);
  app.get("/", (_req, res) => void res.end("ok"));
  const server = createServer(app).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return new Client(server);
}

/** Commands that the client keeps, sent or not. */
function queued(client: Redis): number {
  const { commandQueue, offlineQueue } = client as unknown as Readonly<Record<string, { readonly length: number }>>;
  return (commandQueue?.length ?? 0) + (offlineQueue?.length ?? 0);
}

/** Until the store decides, about somebody whom no test asks for. */
function storeIsBack(made: RateLimit): Promise<void> {
  return waitFor("the store decides", async () => BY_STORE.has((await made.limiter.consume("nobody")).source));
}

test("A28 an app starts while Redis is away, decides by its policy, and counts once Redis is there", async () => {
  await redis.kill();
  const open = limit(connect(), { name: "open", onStoreError: "allow", ...PATIENT });
  const closed = limit(connect(), { name: "closed", onStoreError: "deny", ...PATIENT });
  const admitted = await (await serve(open)).get("/");
  expect([admitted.status, admitted.headers["x-ratelimit-remaining"]]).toEqual([200, undefined]);
  expect((await (await serve(closed)).get("/")).status).toBe(503);

  await redis.restart();
  for (const made of [open, closed]) {
    await storeIsBack(made);
    expect(await (await serve(made)).statuses(3, "/")).toEqual([200, 200, 429]);
  }
});

describe.each(["refused", "silent"] as const)("A29 while Redis is %s", (kind) => {
  test("no request hangs, limiters of one route share one deadline, and nothing piles up", async () => {
    const client = connect();
    const patience = { storeTimeoutMs: 100, probeIntervalMs: 500 };
    const first = limit(client, { name: "first", onStoreError: "allow", ...patience });
    const second = limit(client, { name: "second", onStoreError: "allow", ...patience });
    const third = limit(client, { name: "third", onStoreError: "allow", ...patience });
    const api = await serve(first, second, third);
    const bare = await serve();
    await waitFor("the client is connected", async () => client.status === "ready");
    await Promise.all([api.get("/"), bare.get("/")]);
    if (kind === "refused") await redis.kill();
    else redis.signal("SIGSTOP");

    const took = async (asked: Promise<unknown>): Promise<number> => {
      const start = performance.now();
      await asked;
      return performance.now() - start;
    };
    // Beside a bare server, so that what the machine is busy with counts on both sides.
    const twenty = Array.from({ length: 20 }, () => Promise.all([took(api.get("/")), took(bare.get("/"))]));
    const longest = Math.max(...(await Promise.all(twenty)).map(([limited, unlimited]) => limited - unlimited));
    expect(longest).toBeLessThan(5_000);
    const before = queued(client);
    for (let hundred = 0; hundred < 10; hundred++) {
      const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await api.get("/")).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    // Two background probes a second and limiter.
    expect(queued(client) - before).toBeLessThan(100);
    if (kind === "silent") redis.signal("SIGCONT");
  });
});

test("A30 failing closed is a 503 with a wait, an event with its cause and no numbers, and ends with the outage", async () => {
  const events: string[] = [];
  const closed = limit(connect(), {
    onStoreError: "deny",
    ...PATIENT,
    onEvent: ({ type, error }) => void events.push(error instanceof Error ? `${type}: caused` : type),
  });
  const api = await serve(closed);
  await storeIsBack(closed);
  await redis.kill();
  for (let asked = 0; asked < 5; asked++) {
    const refused = await api.get("/");
    expect(refused.status).toBe(503);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Object.keys(refused.headers).filter((name) => name.startsWith("x-ratelimit"))).toEqual([]);
  }
  expect(events).toContain("store-error: caused");
  await redis.restart();
  await storeIsBack(closed);
  expect(await api.statuses(3, "/")).toEqual([200, 200, 429]);
});

test("A59 close leaves the client that was given connected, and resolves within a second when Redis is down", async () => {
  const client = connect();
  const up = limit(client, { name: "up" });
  const several = ["one", "two", "three"].map((name) => limit(client, { name }));
  await storeIsBack(up);
  await up.limiter.close();
  await up.limiter.close();
  expect([client.status, await client.ping()]).toEqual(["ready", "PONG"]);

  redis.signal("SIGSTOP");
  const took: number[] = [];
  for (const down of several) {
    const pending = down.limiter.consume("somebody");
    const start = performance.now();
    await down.limiter.close();
    await down.limiter.close();
    took.push(performance.now() - start);
    // Nobody counts in a limiter that is closed, and nothing is silently unlimited.
    expect([(await pending).source, (await down.limiter.consume("somebody")).source]).toEqual([
      "fail-closed",
      "fail-closed",
    ]);
  }
  // The machine may have held up one of them.
  expect(Math.min(...took)).toBeLessThan(1_000);
  redis.signal("SIGCONT");
});
