import Koa from "koa";
import ratelimit, { type MiddlewareOptions } from "koa-ratelimit";
import { CACHEABLE, answerTo } from "../answer.ts";
import { listen } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Limit, Setup, Subject } from "../subject.ts";

export const koaRatelimit: Subject = {
  name: "koa-ratelimit",
  packages: ["koa-ratelimit"],
  lacks: {
    costs: "every request counts as one",
    failedAreFree: "none",
    keysAtMost: "remembers every key",
    plans: "`max` is one number",
    limitsInOutage: "none",
    blockMs: "none",
    spaced: "none",
    dryRun: "none",
    sparesRedis: "every request asks Redis",
    ietfFields: "none",
    reset: "none",
    fetch: "Koa only",
  },
  serve,
};

async function serve(setup: Setup): Promise<App> {
  const clients = new Clients();
  const app = new Koa({ proxy: true, maxIpsCount: 1 });
  app.silent = true;
  if (setup.cacheable) {
    app.use((ctx, next) => {
      ctx.set("cache-control", CACHEABLE);
      return next();
    });
  }
  for (const limit of setup.limits) app.use(ratelimit(optionsOf(limit, setup, clients)));
  app.use(async (ctx) => {
    ctx.status = await answerTo(ctx.url);
    ctx.body = "";
  });
  await clients.ready();
  return listen(app.callback(), () => clients.close());
}

function optionsOf({ name, limit, windowMs }: Limit, setup: Setup, clients: Clients): MiddlewareOptions {
  const { redis } = setup;
  const options = {
    duration: windowMs,
    namespace: name,
    id: (ctx: Koa.Context) => ctx.ip,
    [setup.misspelled ? "maxx" : "max"]: limit,
  };
  if (redis === undefined) return { ...options, driver: "memory", db: new Map() };
  return { ...options, driver: "redis", db: clients.open(redis) as never };
}
