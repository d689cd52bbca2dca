import { serve as serveNode } from "@hono/node-server";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { rateLimiter, type Store } from "hono-rate-limiter";
import type { Server } from "node:http";
import { CACHEABLE, answerTo } from "../answer.ts";
import { urlOf } from "../listen.ts";
import type { App, Limit, Setup, Subject } from "../subject.ts";

export const honoRateLimiter: Subject = {
  name: "hono-rate-limiter",
  packages: ["hono-rate-limiter"],
  lacks: {
    redis: "takes Upstash's HTTP client",
    costs: "every request counts as one",
    keysAtMost: "remembers every key of two windows",
    limitsInOutage: "none",
    blockMs: "none",
    spaced: "none",
    dryRun: "none",
    sparesRedis: "takes Upstash's HTTP client",
    ietfFields: "drafts 6 and 7, one policy",
  },
  serve,
};

async function serve(setup: Setup): Promise<App> {
  const app = new Hono();
  const stores: Store[] = [];
  if (setup.cacheable) {
    app.use(async (c, next) => {
      c.header("cache-control", CACHEABLE);
      await next();
    });
  }
  for (const limit of setup.limits) app.use(limiterOf(limit, setup));
  app.use(async (c, next) => {
    stores[0] = c.get("rateLimitStore" as never) as Store;
    await next();
  });
  app.get("/*", async (c) => c.body("", (await answerTo(new URL(c.req.url).pathname)) as 200));
  const server = await new Promise<Server>((resolve) => {
    const started = serveNode({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(started as Server));
  });
  return {
    url: urlOf(server),
    fetch: async (request) => app.fetch(request),
    reset: async (address) => stores[0]?.resetKey(address),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function limiterOf({ limit, windowMs }: Limit, setup: Setup): MiddlewareHandler {
  const { plans } = setup;
  return rateLimiter({
    windowMs,
    [setup.misspelled ? "limmit" : "limit"]: plans ? (c: Context) => plans[c.req.header("plan") ?? ""] ?? limit : limit,
    standardHeaders: "draft-6",
    // It has no default; its documentation reads a header.
    keyGenerator: (c) => c.req.header("x-forwarded-for") ?? "",
    ...(setup.failedAreFree && { skipFailedRequests: true }),
  });
}
