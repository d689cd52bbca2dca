import express, { type NextFunction, type Request, type Response } from "express";
import {
  RLWrapperTimeouts,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
  RateLimiterUnion,
  type IRateLimiterOptions,
  type RateLimiterAbstract,
} from "rate-limiter-flexible";
import { CACHEABLE, answerTo } from "../answer.ts";
import { listen } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Limit, Setup, Subject } from "../subject.ts";

export const rateLimiterFlexible: Subject = {
  name: "rate-limiter-flexible",
  packages: ["rate-limiter-flexible"],
  lacks: {
    keysAtMost: "remembers every key of a window",
    dryRun: "none",
    ietfFields: "writes no headers",
    fetch: "no adapters; by hand",
  },
  serve,
};

/** Its middleware for Express, with the headers of its README. */
async function serve(setup: Setup): Promise<App> {
  const clients = new Clients();
  const limiters = setup.limits.map((limit) => limiterOf(limit, setup, clients));
  const plans = Object.entries(setup.plans ?? {}).map(([plan, limit]) => {
    const [first] = setup.limits as readonly [Limit];
    return [plan, limiterOf({ ...first, name: plan, limit }, setup, clients)] as const;
  });
  const [limiter, ...more] = limiters as [RateLimiterAbstract];
  const union = more.length === 0 ? limiter : new RateLimiterUnion(limiter, ...more);
  const points = setup.limits[0]?.limit ?? 0;

  const app = express();
  app.set("trust proxy", 1);
  if (setup.cacheable) {
    app.use((_req, res, next) => {
      res.setHeader("cache-control", CACHEABLE);
      next();
    });
  }
  app.use(async (req: Request, res: Response, next: NextFunction) => {
    const chosen = new Map(plans).get(req.get("plan") ?? "") ?? union;
    const key = req.ip ?? "";
    try {
      const made = setup.costs ? await chosen.consume(key, Number(req.get("cost"))) : await chosen.consume(key);
      setHeaders(res, points, tightest(made));
      if (setup.failedAreFree) {
        res.on("finish", () => void (res.statusCode >= 400 && limiter.reward(key)));
      }
      next();
    } catch (refused) {
      if (refused instanceof Error) return next(refused);
      const made = tightest(refused as RateLimiterRes);
      setHeaders(res, points, made);
      res.set("Retry-After", String(made.msBeforeNext / 1000));
      res.status(429).send("Too Many Requests");
    }
  });
  app.use(async (req, res) => void res.sendStatus(await answerTo(req.url)));
  app.use(((_error, _req, res, _next) => void res.sendStatus(500)) as express.ErrorRequestHandler);
  await clients.ready();
  const served = await listen(app, () => clients.close());
  return { ...served, reset: async (address) => void (await limiter.delete(address)) };
}

function limiterOf({ name, limit, windowMs }: Limit, setup: Setup, clients: Clients): RateLimiterAbstract {
  const options = {
    keyPrefix: name,
    [setup.misspelled ? "pointz" : "points"]: limit,
    duration: windowMs / 1000,
    ...(setup.blockMs !== undefined && { blockDuration: setup.blockMs / 1000 }),
    ...(setup.spaced && { execEvenly: true }),
  } as IRateLimiterOptions;
  if (setup.redis === undefined) return new RateLimiterMemory(options);
  const limiter = new RateLimiterRedis({
    ...options,
    // As its wiki recommends.
    storeClient: clients.open(setup.redis, { enableOfflineQueue: false }),
    insuranceLimiter: new RateLimiterMemory(options),
    ...(setup.sparesRedis && { inMemoryBlockOnConsumed: limit }),
  });
  if (!setup.admitsInOutage && !setup.limitsInOutage) return limiter;
  return new RLWrapperTimeouts({ limiter, timeoutMs: 100, keyPrefix: name });
}

/** A union answers by the prefix of each limiter. */
function tightest(made: RateLimiterRes | Record<string, RateLimiterRes>): RateLimiterRes {
  if (made instanceof RateLimiterRes) return made;
  const each = Object.values(made);
  return each.reduce((a, b) => (b.remainingPoints < a.remainingPoints ? b : a), each[0] as RateLimiterRes);
}

function setHeaders(res: Response, points: number, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  res.set("X-RateLimit-Limit", String(points));
  res.set("X-RateLimit-Remaining", String(remainingPoints));
  res.set("X-RateLimit-Reset", String(Math.ceil((Date.now() + msBeforeNext) / 1000)));
}
