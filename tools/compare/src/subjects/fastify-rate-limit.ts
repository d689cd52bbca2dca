import rateLimit, { type RateLimitPluginOptions } from "@fastify/rate-limit";
import Fastify, { type FastifyRequest } from "fastify";
import { CACHEABLE, answerTo } from "../answer.ts";
import { urlOf } from "../listen.ts";
import { Clients } from "../redis-client.ts";
import type { App, Limit, Setup, Subject } from "../subject.ts";

export const fastifyRateLimit: Subject = {
  name: "@fastify/rate-limit",
  packages: ["@fastify/rate-limit"],
  lacks: {
    costs: "every request counts as one",
    failedAreFree: "none",
    limitsInOutage: "lets everything pass, or fails",
    blockMs: "`ban` answers 403, until the window ends",
    spaced: "none",
    dryRun: "`createRateLimit()` by hand",
    sparesRedis: "every request asks Redis",
    ietfFields: "three fields of an early draft",
    reset: "none",
    fetch: "Fastify only",
  },
  serve,
};

async function serve(setup: Setup): Promise<App> {
  const clients = new Clients();
  const app = Fastify({ trustProxy: "127.0.0.1", forceCloseConnections: true });
  if (setup.cacheable) {
    app.addHook("onRequest", async (_request, reply) => void reply.header("cache-control", CACHEABLE));
  }
  for (const limit of setup.limits) await app.register(rateLimit, optionsOf(limit, setup, clients));
  app.get("/*", async (request, reply) => reply.code(await answerTo(request.url)).send(""));
  await clients.ready();
  await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url: urlOf(app.server),
    async close() {
      await app.close();
      clients.close();
    },
  };
}

function optionsOf({ name, limit, windowMs }: Limit, setup: Setup, clients: Clients): RateLimitPluginOptions {
  const { redis, plans, keysAtMost } = setup;
  return {
    [setup.misspelled ? "maxx" : "max"]: plans
      ? (request: FastifyRequest) => plans[String(request.headers["plan"])] ?? limit
      : limit,
    timeWindow: windowMs,
    ...(keysAtMost !== undefined && { cache: keysAtMost }),
    ...(setup.admitsInOutage && { skipOnError: true }),
    // As its README recommends: ioredis's defaults are "not optimal for rate limiting".
    ...(redis !== undefined && {
      redis: clients.open(redis, { connectTimeout: 500, maxRetriesPerRequest: 1 }),
      nameSpace: `${name}-`,
    }),
  };
}
