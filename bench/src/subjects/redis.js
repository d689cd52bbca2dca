// What decides in Redis: ours, and each peer's own Redis code, driven as its middleware drives it.
import { createRequire } from "node:module";
import { createLimiter } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { RedisStore } from "rate-limit-redis";

const require = createRequire(import.meta.url);

/**
 * @typedef {{ limit: number, windowMs: number }} Quota
 * @typedef {(key: string) => Promise<boolean>} Decide whether the request goes on
 * @typedef {(client: any, quota: Quota) => Promise<Decide> | Decide} Make
 */

/** @type {Record<string, Make>} */
export const redisDeciders = {
  ours: (client, quota) => ours(client, quota, "sliding-window-counter"),
  "ours, gcra": (client, quota) => ours(client, quota, "gcra"),
  "ours, fixed window": (client, quota) => ours(client, quota, "fixed-window"),
  "rate-limit-redis": async (client, { limit, windowMs }) => {
    const store = new RedisStore({
      sendCommand: (/** @type {string} */ command, /** @type {string[]} */ ...args) => client.call(command, ...args),
    });
    await store.init(/** @type {any} */ ({ windowMs }));
    return async (key) => (await store.increment(key)).totalHits <= limit;
  },
  "@fastify/rate-limit": (client, { limit, windowMs }) => {
    const Store = require("@fastify/rate-limit/store/RedisStore.js");
    const store = new Store(false, false, client, "fastify-rate-limit-");
    return async (key) => {
      /** @type {{ current: number, ttl: number }} */
      const { current } = await new Promise((resolve, reject) => {
        store.incr(
          key,
          (/** @type {unknown} */ error, /** @type {any} */ result) => (error ? reject(error) : resolve(result)),
          windowMs,
          limit,
        );
      });
      return current <= limit;
    };
  },
  "koa-ratelimit": (client, { limit, windowMs }) => {
    const Limiter = require("koa-ratelimit/limiter/redis.js");
    // The middleware makes one for each request.
    return async (id) => {
      const { remaining } = await new Limiter({ driver: "redis", db: client, duration: windowMs, max: limit, id }).get();
      return remaining > 0;
    };
  },
  "rate-limiter-flexible": (client, quota) => flexible(client, quota, {}),
  "rate-limiter-flexible, inMemoryBlock": (client, quota) =>
    flexible(client, quota, { inMemoryBlockOnConsumed: quota.limit + 1 }),
};

/**
 * @param {any} client
 * @param {Quota} quota
 * @param {import("@aforo/core").AlgorithmName} algorithm
 * @returns {Decide}
 */
function ours(client, { limit, windowMs }, algorithm) {
  const store = redisStore(client);
  const limiter = createLimiter({
    store,
    policies: [{ name: "p", limit, window: windowMs, algorithm }],
    // So that a stall of a busy machine is measured as what it is.
    storeTimeoutMs: 5_000,
  });
  return async (key) => {
    const { allowed, source } = await limiter.consume(key);
    // What another store decides in place of Redis would be no figure of Redis.
    if (source !== "store" && source !== "deny-cache") throw new Error(`decided by "${source}"`);
    return allowed;
  };
}

/**
 * @param {any} storeClient
 * @param {Quota} quota
 * @param {object} options
 * @returns {Decide}
 */
function flexible(storeClient, { limit, windowMs }, options) {
  const limiter = new RateLimiterRedis({ storeClient, points: limit, duration: windowMs / 1000, ...options });
  return async (key) => {
    try {
      await limiter.consume(key);
      return true;
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      return false;
    }
  };
}
