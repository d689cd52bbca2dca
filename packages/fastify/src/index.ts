export { rateLimit } from "./plugin.ts";
export type { DecoratorName, RateLimitHook, RateLimitOptions, RouteRateLimit } from "./options.ts";
export type { FastifyRateLimit } from "./scope.ts";
export type { RateLimitDecorators, RateLimitRequest, RateLimitRouteConfig } from "./augment.ts";
export { allOf, apiKey, firstOf, ip, memoryStore, route, trustedHeader, user } from "@aforo/core";
export type {
  ClassOptions,
  Decision,
  HeaderOptions,
  HttpPolicy,
  LimiterEvent,
  RequestHandle,
  RequestView,
} from "@aforo/core";
export { redisStore, type RedisStoreOptions } from "@aforo/core/redis";
