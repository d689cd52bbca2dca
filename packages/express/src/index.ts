export { rateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";
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
export { answerContinue } from "@aforo/core/adapter";
