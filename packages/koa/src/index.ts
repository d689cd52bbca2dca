export { rateLimit, type RateLimit, type RateLimitOptions, type RateLimitState } from "./rate-limit.ts";
