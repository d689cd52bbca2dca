export { rateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";
export * from "@aforo/core";
export { redisStore, type RedisStoreOptions } from "@aforo/core/redis";
export { answerContinue } from "@aforo/core/adapter";
