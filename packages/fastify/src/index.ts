export { rateLimit } from "./plugin.ts";
export type { DecoratorName, RateLimitHook, RateLimitOptions, RouteRateLimit } from "./options.ts";
export type { FastifyRateLimit } from "./scope.ts";
export type { RateLimitDecorators, RateLimitRequest, RateLimitRouteConfig } from "./augment.ts";
export * from "@aforo/core";
export { redisStore, type RedisStoreOptions } from "@aforo/core/redis";
