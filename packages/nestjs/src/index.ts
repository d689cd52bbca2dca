export { RateLimit, RateLimitInfo, SkipRateLimit } from "./decorators.ts";
export { RateLimitException } from "./exception.ts";
export { RateLimitGuard } from "./guard.ts";
export { RateLimitModule } from "./module.ts";
export type { NestRequest, RateLimitModuleAsyncOptions, RateLimitModuleOptions, RouteLimit } from "./options.ts";
export { RATE_LIMITER } from "./tokens.ts";
export * from "@aforo/core";
export { redisStore, type RedisStoreOptions } from "@aforo/core/redis";
