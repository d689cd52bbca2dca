// What decides in memory: ours, and each peer's memory store, driven as its middleware drives it.
import { createRequire } from "node:module";
import { createLimiter, memoryStore } from "@aforo/core";
import { ThrottlerStorageService } from "@nestjs/throttler";
import { MemoryStore } from "express-rate-limit";
import { MemoryStore as HonoStore } from "hono-rate-limiter";
import { RateLimiter } from "limiter";
import { RateLimiterMemory } from "rate-limiter-flexible";

const require = createRequire(import.meta.url);

/**
 * @typedef {{ limit: number, windowMs: number, keys: number }} Quota
 * @typedef {(key: string) => boolean | Promise<boolean>} Decide whether the request goes on
 * @typedef {object} MemorySubject
 * @property {boolean} [forgets] drops keys that still count, so that who has many addresses is not limited
 * @property {boolean} [keepsEveryHit] so long lists that only short runs of few requests a key can be measured
 * @property {(quota: Quota) => Decide} make
 */

/** @type {Record<string, MemorySubject>} */
export const memoryDeciders = {
  ours: { make: (quota) => ours(quota, "sliding-window-counter") },
  "ours, gcra": { make: (quota) => ours(quota, "gcra") },
  "ours, token bucket": { make: (quota) => ours(quota, "token-bucket") },
  "ours, fixed window": { make: (quota) => ours(quota, "fixed-window") },
  "a bare Map": {
    make() {
      /** @type {Map<string, { count: number }>} */
      const counts = new Map();
      return (key) => {
        const known = counts.get(key);
        if (known === undefined) return counts.set(key, { count: 1 }).size > 0;
        return ++known.count > 0;
      };
    },
  },
  "express-rate-limit": {
    make({ limit, windowMs }) {
      const store = new MemoryStore();
      store.init(/** @type {any} */ ({ windowMs }));
      return async (key) => (await store.increment(key)).totalHits <= limit;
    },
  },
  "hono-rate-limiter": {
    make({ limit, windowMs }) {
      /** @type {any} */
      const store = new HonoStore();
      store.init({ windowMs });
      return async (key) => (await store.increment(key)).totalHits <= limit;
    },
  },
  "@fastify/rate-limit (forgets beyond 5,000)": { forgets: true, make: (quota) => fastify(quota, 5_000) },
  "@fastify/rate-limit, cache = keys": { make: (quota) => fastify(quota, quota.keys) },
  "koa-ratelimit": {
    make({ limit, windowMs }) {
      const Limiter = require("koa-ratelimit/limiter/memory.js");
      const db = new Map();
      // The middleware makes one for each request.
      return async (id) => {
        const { remaining } = await new Limiter({ driver: "memory", db, duration: windowMs, max: limit, id }).get();
        return remaining > 0;
      };
    },
  },
  "rate-limiter-flexible": {
    make({ limit, windowMs }) {
      const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1000 });
      return async (key) => {
        try {
          await limiter.consume(key);
          return true;
        } catch {
          return false;
        }
      };
    },
  },
  "@nestjs/throttler": {
    keepsEveryHit: true,
    make({ limit, windowMs }) {
      const storage = new ThrottlerStorageService();
      return async (key) => !(await storage.increment(key, windowMs, limit, windowMs, "default")).isBlocked;
    },
  },
  "limiter, in a Map": {
    make({ limit, windowMs }) {
      /** @type {Map<string, RateLimiter>} */
      const limiters = new Map();
      return (key) => {
        let limiter = limiters.get(key);
        if (limiter === undefined) {
          limiter = new RateLimiter({ tokensPerInterval: limit, interval: windowMs, fireImmediately: true });
          limiters.set(key, limiter);
        }
        return limiter.tryRemoveTokens(1);
      };
    },
  },
};

/**
 * @param {Quota} quota
 * @param {import("@aforo/core").AlgorithmName} algorithm
 * @returns {Decide}
 */
function ours({ limit, windowMs, keys }, algorithm) {
  const store = memoryStore({ maxKeys: Math.max(1_000_000, keys) });
  const limiter = createLimiter({ store, policies: [{ name: "p", limit, window: windowMs, algorithm }] });
  return (key) => limiter.consume(key).allowed;
}

/**
 * @param {Quota} quota
 * @param {number} cache
 * @returns {Decide}
 */
function fastify({ limit, windowMs }, cache) {
  const Store = require("@fastify/rate-limit/store/LocalStore.js");
  const store = new Store(false, false, cache);
  return async (key) => {
    /** @type {{ current: number }} */
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
}
