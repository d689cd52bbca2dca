import { rateLimit } from "@aforo/fastify";
import { redisStore } from "@aforo/core/redis";
import peer from "@fastify/rate-limit";
import Fastify from "fastify";
import { denier, headers, rejectionBody, rejectionHeaders } from "./made-up.js";

/** @type {Record<string, (app: import("fastify").FastifyInstance, context: import("./index.js").ServerContext) => unknown>} */
export const variants = {
  bare: () => undefined,
  "made up": (app, context) => madeUp(app, denier(context, false)),
  "made up, counted": (app, context) => madeUp(app, denier(context, true)),
  "ours, memory": (app, { limit, windowMs }) => app.register(rateLimit, { limit, window: windowMs }),
  "ours, Redis": (app, { limit, windowMs, client }) =>
    app.register(rateLimit, { limit, window: windowMs, store: redisStore(client), storeTimeoutMs: 5_000 }),
  "@fastify/rate-limit, memory": (app, { limit, windowMs }) => app.register(peer, { max: limit, timeWindow: windowMs }),
  "@fastify/rate-limit, Redis": (app, { limit, windowMs, client }) =>
    app.register(peer, { max: limit, timeWindow: windowMs, redis: client }),
};

/**
 * @param {import("fastify").FastifyInstance} app
 * @param {(address: string) => boolean} denies
 */
function madeUp(app, denies) {
  app.addHook("onRequest", (request, reply, done) => {
    if (denies(request.ip)) return void reply.code(429).headers(rejectionHeaders).send(rejectionBody);
    reply.headers(headers);
    done();
  });
}

/**
 * @param {string} variant
 * @param {import("./index.js").ServerContext} context
 */
export async function listen(variant, context) {
  const app = Fastify();
  await variants[variant]?.(app, context);
  app.get("/", async () => ({ hello: "world" }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server;
}
