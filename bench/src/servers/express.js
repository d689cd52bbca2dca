import { once } from "node:events";
import { rateLimit } from "@aforo/express";
import { redisStore } from "@aforo/core/redis";
import express from "express";
import { denier, headers, rejectionBody, rejectionHeaders } from "./made-up.js";
import { rateLimit as expressRateLimit } from "express-rate-limit";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { RedisStore } from "rate-limit-redis";

/**
 * What stands before the handler, by name; `undefined` is the bare server.
 * @type {Record<string, (context: import("./index.js").ServerContext) => express.RequestHandler | undefined>}
 */
export const variants = {
  bare: () => undefined,
  "made up": (context) => madeUp(denier(context, false)),
  "ours, memory": ({ limit, windowMs }) => rateLimit({ limit, window: windowMs }),
  "ours, Redis": ({ limit, windowMs, client }) =>
    rateLimit({ limit, window: windowMs, store: redisStore(client), storeTimeoutMs: 5_000 }),
  "express-rate-limit, memory": ({ limit, windowMs }) => expressRateLimit({ limit, windowMs, validate: false }),
  "rate-limiter-flexible, memory": ({ limit, windowMs }) =>
    flexible(new RateLimiterMemory({ points: limit, duration: windowMs / 1000 })),
  "express-rate-limit, Redis": ({ limit, windowMs, client }) =>
    expressRateLimit({
      limit,
      windowMs,
      validate: false,
      store: new RedisStore({
        sendCommand: (/** @type {string} */ command, /** @type {string[]} */ ...args) => client.call(command, ...args),
      }),
    }),
  "rate-limiter-flexible, Redis": ({ limit, windowMs, client }) =>
    flexible(new RateLimiterRedis({ storeClient: client, points: limit, duration: windowMs / 1000 })),
};

/**
 * @param {(address: string) => boolean} denies
 * @returns {express.RequestHandler}
 */
function madeUp(denies) {
  return (req, res, next) => {
    const denied = denies(String(req.ip));
    const set = denied ? rejectionHeaders : headers;
    for (const name in set) res.setHeader(name, String(set[name]));
    if (!denied) return next();
    res.statusCode = 429;
    res.end(rejectionBody);
  };
}

/**
 * The application, which listens already.
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 */
export async function listen(variant, context) {
  const app = express();
  app.disable("x-powered-by");
  const middleware = variants[variant]?.(context);
  if (middleware !== undefined) app.use(middleware);
  app.get("/", (_, res) => void res.json({ hello: "world" }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/**
 * The middleware of its documentation, which sets no header.
 * @param {RateLimiterMemory | RateLimiterRedis} limiter
 * @returns {express.RequestHandler}
 */
function flexible(limiter) {
  return (req, res, next) => {
    limiter.consume(String(req.ip)).then(
      () => next(),
      () => void res.status(429).send("Too Many Requests"),
    );
  };
}
