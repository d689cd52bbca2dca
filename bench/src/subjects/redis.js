// What decides in Redis: ours, and each peer's own Redis code, driven as its middleware drives it.
import { createRequire } from "node:module";
import { createLimiter } from "@aforo/core";
import { redisStore } from "@aforo/core/redis";
import { RateLimiterRedis, RateLimiterUnion } from "rate-limiter-flexible";
import { RedisStore } from "rate-limit-redis";

const require = createRequire(import.meta.url);

/**
 * @typedef {object} Quota
 * @property {number} limit
 * @property {number} windowMs
 * @property {number} [policies] how many are decided for each request; 1 when left out
 * @property {boolean} [ownKeys] each policy counts by a key of its own, as account and address are
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
      const { remaining } = await new Limiter({
        driver: "redis",
        db: client,
        duration: windowMs,
        max: limit,
        id,
      }).get();
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
function ours(client, { limit, windowMs, policies = 1, ownKeys = false }, algorithm) {
  const names = Array.from({ length: policies }, (_, index) => `p${index}`);
  const limiter = createLimiter({
    store: redisStore(client),
    policies: names.map((name, index) => ({ name, limit, window: windowMs * (index + 1), algorithm })),
    // So that a stall of a busy machine is measured as what it is.
    storeTimeoutMs: 5_000,
  });
  const keysOf = (/** @type {string} */ key) =>
    ownKeys ? Object.fromEntries(names.map((name) => [name, `${name}:${key}`])) : key;
  return async (key) => {
    const { allowed, source } = await limiter.consume(keysOf(key));
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
function flexible(storeClient, { limit, windowMs, policies = 1 }, options) {
  const limiters = Array.from({ length: policies }, (_, index) => {
    const duration = (windowMs / 1000) * (index + 1);
    return new RateLimiterRedis({ storeClient, keyPrefix: `p${index}`, points: limit, duration, ...options });
  });
  const [first] = limiters;
  const limiter = policies === 1 && first !== undefined ? first : new RateLimiterUnion(...limiters);
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
