import type { HeaderSource } from "./header-source.ts";
import { parseRateLimitReset } from "./rate-limit-reset.ts";
import { isFromCache, readQuotas } from "./read-quotas.ts";
import { parseRetryAfter } from "./retry-after.ts";
import { serverTime } from "./server-time.ts";

/** Which header a wait was taken from. */
export type WaitSource = "retry-after" | "reset" | "backoff";

/** A wait that the server asked for. */
export interface StatedWait {
  /** Whole milliseconds from the answer on, 0 or more, finite. */
  readonly ms: number;
  readonly source: WaitSource;
}

/**
 * The wait that a rejection asks for: a valid `Retry-After`, else `X-RateLimit-Reset`, else the reset of the
 * `RateLimit` fields of any draft; `undefined` when the server states none that can be read.
 */
export function statedWait(headers: HeaderSource, localNow: number): StatedWait | undefined {
  const now = serverTime(headers, localNow);
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  if (retryAfter !== undefined) return { ms: retryAfter, source: "retry-after" };
  if (isFromCache(headers)) return undefined;
  const reset = parseRateLimitReset(headers.get("x-ratelimit-reset"), now) ?? longestOfExhausted(headers, localNow);
  return reset === undefined ? undefined : { ms: reset, source: "reset" };
}

/** Which policy rejected is not said; it is the one with the least left, and of several the slowest. */
function longestOfExhausted(headers: HeaderSource, localNow: number): number | undefined {
  const quotas = readQuotas(headers, localNow).filter(({ resetMs }) => resetMs !== undefined);
  const least = Math.min(...quotas.map(({ remaining }) => remaining));
  const waits = quotas.filter(({ remaining }) => remaining === least).map(({ resetMs }) => resetMs!);
  return waits.length === 0 ? undefined : Math.max(...waits);
}
