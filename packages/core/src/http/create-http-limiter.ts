import type { FrameworkTraits, HttpLimiter } from "./http-limiter.ts";
import { LimiterParts } from "./limiter-parts.ts";
import { Meetings } from "./meetings.ts";
import type { RateLimitOptions } from "./options.ts";

/**
 * Builds a limiter for an adapter.
 * @throws ConfigError for every option that is wrong.
 */
export function createHttpLimiter<Raw, Class extends string = string, Res = unknown>(
  options: RateLimitOptions<Raw, Class, Res>,
  traits: FrameworkTraits,
): HttpLimiter<Raw, Class, Res> {
  return new Meetings(new LimiterParts(options, traits));
}
