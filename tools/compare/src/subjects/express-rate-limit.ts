import express from "express";
import { ipKeyGenerator, rateLimit, type Options } from "express-rate-limit";
import { RedisStore, type RedisReply } from "rate-limit-redis";
import { CACHEABLE, answerTo } from "../answer.ts";
import { listen } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Limit, Setup, Subject } from "../subject.ts";

export const expressRateLimit: Subject = {
  name: "express-rate-limit",
  packages: ["express-rate-limit", "rate-limit-redis"],
  lacks: {
    costs: "every request counts as one",
    keysAtMost: "remembers every key of two windows",
    limitsInOutage: "lets everything pass, or fails",
    blockMs: "only until the window ends",
    spaced: "by another package, express-slow-down",
    dryRun: "none",
    sparesRedis: "every request asks Redis",
    fetch: "Express only",
  },
  serve,
};

async function serve(setup: Setup): Promise<App> {
  const clients = new Clients();
  const limiters = setup.limits.map((limit) => rateLimit(optionsOf(limit, setup, clients)));
  const app = express();
  app.set("trust proxy", 1);
  if (setup.cacheable) {
    app.use((_req, res, next) => {
      res.setHeader("cache-control", CACHEABLE);
      next();
    });
  }
  for (const limiter of limiters) app.use(limiter);
  app.use(async (req, res) => void res.sendStatus(await answerTo(req.url)));
  app.use(((_error, _req, res, _next) => void res.sendStatus(500)) as express.ErrorRequestHandler);
  await clients.ready();
  const served = await listen(app, () => clients.close());
  return { ...served, reset: async (address) => limiters[0]?.resetKey(ipKeyGenerator(address)) };
}

/** The quick start of its README, and that of rate-limit-redis. */
function optionsOf({ name, limit, windowMs }: Limit, setup: Setup, clients: Clients): Partial<Options> {
  const { redis, plans } = setup;
  return {
    windowMs,
    [setup.misspelled ? "limmit" : "limit"]: plans ? (req: express.Request) => plans[req.get("plan") ?? ""] : limit,
    standardHeaders: "draft-8",
    legacyHeaders: false,
    ...(setup.failedAreFree && { skipFailedRequests: true }),
    ...(setup.admitsInOutage && { passOnStoreError: true }),
    ...(redis !== undefined && { store: storeOf(redis, `rl:${name}:`, clients) }),
  };
}

function storeOf(redis: string, prefix: string, clients: Clients): RedisStore {
  const client = clients.open(redis);
  return new RedisStore({
    prefix,
    sendCommand: (command: string, ...args: string[]) => client.call(command, ...args) as Promise<RedisReply>,
  });
}
