import { once } from "node:events";
import { createRequire } from "node:module";
import { rateLimit } from "@aforo/koa";
import { redisStore } from "@aforo/core/redis";
import Koa from "koa";
import { denier, headers, rejectionBody, rejectionHeaders } from "./made-up.js";

const peer = createRequire(import.meta.url)("koa-ratelimit");

/** @type {Record<string, (context: import("./index.js").ServerContext) => Koa.Middleware | undefined>} */
export const variants = {
  bare: () => undefined,
  "made up": (context) => madeUp(denier(context, false)),
  "made up, counted": (context) => madeUp(denier(context, true)),
  "ours, memory": ({ limit, windowMs }) => rateLimit({ limit, window: windowMs }),
  "ours, Redis": ({ limit, windowMs, client }) =>
    rateLimit({ limit, window: windowMs, store: redisStore(client), storeTimeoutMs: 5_000 }),
  "koa-ratelimit, memory": ({ limit, windowMs }) =>
    peer({ driver: "memory", db: new Map(), max: limit, duration: windowMs }),
  "koa-ratelimit, Redis": ({ limit, windowMs, client }) =>
    peer({ driver: "redis", db: client, max: limit, duration: windowMs }),
};

/**
 * @param {(address: string) => boolean} denies
 * @returns {Koa.Middleware}
 */
function madeUp(denies) {
  return (ctx, next) => {
    const denied = denies(ctx.ip);
    const set = denied ? rejectionHeaders : headers;
    for (const name in set) ctx.res.setHeader(name, String(set[name]));
    if (!denied) return next();
    ctx.status = 429;
    ctx.body = rejectionBody;
    return undefined;
  };
}

/**
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 */
export async function listen(variant, context) {
  const app = new Koa();
  // The load ends its connections while answers are under way, of which Koa would tell at length.
  app.silent = true;
  const middleware = variants[variant]?.(context);
  if (middleware !== undefined) app.use(middleware);
  app.use((ctx) => {
    ctx.body = { hello: "world" };
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}
