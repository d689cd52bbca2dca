import { ip, memoryStore, rateLimit, redisStore, type Store } from "@aforo/express";
import express from "express";
import { CACHEABLE, answerTo } from "../answer.ts";
import { listen } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Setup, Subject } from "../subject.ts";

export const aforo: Subject = {
  name: "Aforo",
  packages: ["@aforo/express"],
  lacks: {
    blockMs: "only by hand: `limiter.block(key, ms)`",
    fetch: "adapters for Node's frameworks only",
  },
  serve,
};

async function serve(setup: Setup, clock: (() => number) | undefined): Promise<App> {
  const clients = new Clients();
  let rejected = 0;
  const limiter = rateLimit({
    name: "api",
    store: storeOf(setup, clients, clock),
    policies: setup.limits.map(({ name, limit, windowMs }) => ({
      name,
      [setup.misspelled ? "limmit" : "limit"]: setup.plans
        ? (req: { header(name: string): string | undefined }) => setup.plans?.[req.header("plan") ?? ""] ?? limit
        : limit,
      window: windowMs,
      ...(setup.spaced && { algorithm: "leaky-bucket" as const }),
      ...(setup.dryRun && { mode: "shadow" as const }),
    })) as never,
    ...(setup.costs && { cost: (req) => Number(req.header("cost")) }),
    ...(setup.failedAreFree && { skipFailed: true }),
    // A machine that is busy with all of this should not count as an outage.
    ...(!setup.admitsInOutage && !setup.limitsInOutage && { storeTimeoutMs: 2_000 }),
    ...(setup.admitsInOutage && { onStoreError: "allow" as const }),
    ...(setup.ietfFields && { headers: { draft: "draft-11" as const } }),
    onDecision: ({ shadows }) => {
      rejected += shadows.filter(({ allowed }) => !allowed).length;
    },
  });
  const app = express();
  app.set("trust proxy", 1);
  if (setup.cacheable) {
    app.use((_req, res, next) => {
      res.setHeader("cache-control", CACHEABLE);
      next();
    });
  }
  app.use(limiter);
  app.use(async (req, res) => void res.sendStatus(await answerTo(req.url)));
  await clients.ready();
  const served = await listen(app, async () => {
    await limiter.limiter.close();
    clients.close();
  });
  return {
    ...served,
    wouldReject: () => rejected,
    reset: async (address) => limiter.limiter.reset(ip.key(address)),
  };
}

function storeOf({ redis, keysAtMost, sparesRedis }: Setup, clients: Clients, clock?: () => number): Store {
  // With a clock of its own the Redis store remembers no denials.
  const options = clock === undefined || sparesRedis ? {} : { clock };
  if (redis !== undefined) return redisStore(clients.open(redis), options);
  return memoryStore({ ...options, ...(keysAtMost !== undefined && { maxKeys: keysAtMost }) });
}
