export { rateLimit, type RateLimit, type RateLimitOptions } from "./rate-limit.ts";
