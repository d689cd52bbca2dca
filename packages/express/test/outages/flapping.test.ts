import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { redisStore } from "@aforo/core/redis";
import { startRedis } from "@aforo/testkit/redis";
import express from "express";
import { Redis } from "ioredis";
import { rateLimit } from "../../src/index.ts";

const LIMIT = 100;
const WINDOW_MS = 5_000;
const SECONDS = 30;
const PER_SECOND = 500;
const KILL_EVERY_MS = 3_000;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test(`${SECONDS} s of ${PER_SECOND} requests a second over a Redis that is killed and restarted every 3 s neither hang, fail, leak nor admit too much`, async () => {
  const redis = await startRedis(["--appendonly", "yes", "--appendfsync", "always"]);
  const client = new Redis(redis.port, redis.host);
  client.on("error", () => {});
  await once(client, "ready");
  let transitions = 0;
  /** Admissions by window of the wall clock, which the server and this process share here. */
  const admitted = new Map<number, number>();
  const limit = rateLimit({
    store: redisStore(client),
    limit: LIMIT,
    window: WINDOW_MS,
    algorithm: "fixed-window",
    key: () => "everybody",
    onStoreError: "local",
    onEvent: ({ type }) => void (type === "store-down" || type === "store-up" ? transitions++ : 0),
    onDecision({ decision, at }) {
      if (decision !== "admitted") return;
      const window = Math.floor(at / WINDOW_MS);
      admitted.set(window, (admitted.get(window) ?? 0) + 1);
    },
  });
  const app = express().use(limit, (_req, res) => void res.end());
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  // Else the server may close an idle connection just as the client takes it for its next request.
  server.keepAliveTimeout = 60_000;
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const outcomes = new Map<string, number>();
  const inFlight = { count: 0 };
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      inFlight.count++;
      const done = (outcome: string): void => {
        inFlight.count--;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        resolve();
      };
      const asked = request({ port, agent }, (response) =>
        response.resume().on("end", () => done(`${response.statusCode}`)),
      );
      // A machine at its limit may let a whole process wait for seconds; what hangs does so for good.
      asked.setTimeout(20_000, () => asked.destroy(new Error("hung")));
      asked.on("error", ({ message }) => done(message));
      asked.end();
    });

  let unhandled = 0;
  const count = (): void => void unhandled++;
  process.on("unhandledRejection", count);
  const flapping = (async () => {
    for (let kills = 0; kills < SECONDS / 3 - 1; kills++) {
      await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS / 2));
      await redis.kill();
      await new Promise((resolve) => setTimeout(resolve, KILL_EVERY_MS / 2));
      await redis.restart();
    }
  })();
  await ask();
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;

  const started = performance.now();
  const asked: Promise<void>[] = [];
  while (performance.now() - started < SECONDS * 1_000) {
    const due = ((performance.now() - started) / 1_000) * PER_SECOND;
    // A machine that is too busy for the rate sends less rather than queue in the client.
    while (asked.length < due && inFlight.count < 150) asked.push(ask());
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await flapping;
  const sent = asked.length;
  await Promise.all(asked.splice(0));

  agent.destroy();
  server.close();
  await limit.limiter.close();
  client.disconnect();
  await redis.stop();
  process.off("unhandledRejection", count);
  collectGarbage();
  const grown = process.memoryUsage().heapUsed - heapBefore;

  expect(sent).toBeGreaterThan(SECONDS * 50);
  expect([...outcomes.keys()].sort()).toEqual(["200", "429"]);
  expect(unhandled).toBe(0);
  expect(transitions).toBeGreaterThan(2);
  expect(Math.max(...admitted.values())).toBeLessThanOrEqual(2 * LIMIT);
  // Every request made some hundred objects; were they kept, this would be ten times as much.
  expect(grown).toBeLessThan(20e6);
}, 120_000);
