import type { Subject } from "../subject.ts";
import { aforo } from "./aforo.ts";
import { expressRateLimit } from "./express-rate-limit.ts";
import { fastifyRateLimit } from "./fastify-rate-limit.ts";
import { honoRateLimiter } from "./hono-rate-limiter.ts";
import { koaRatelimit } from "./koa-ratelimit.ts";
import { nestjsThrottler } from "./nestjs-throttler.ts";
import { rateLimiterFlexible } from "./rate-limiter-flexible.ts";

/** In the order of the columns; the first is ours. */
export const SUBJECTS: readonly Subject[] = [
  aforo,
  expressRateLimit,
  fastifyRateLimit,
  koaRatelimit,
  rateLimiterFlexible,
  nestjsThrottler,
  honoRateLimiter,
];
