import { parseHttpDate } from "./http-date.ts";
import { parseSeconds } from "./seconds.ts";

/**
 * Reads a `Retry-After` value: the wait in whole milliseconds, 0 or more and finite; `undefined` when it is absent or
 * malformed. Fractional seconds, which RFC 9110 does not allow, are understood and rounded up.
 *
 * @param value - What `headers.get("retry-after")` gave.
 * @param now - Epoch milliseconds that a date counts from; give {@link serverTime} to be independent of clock skew.
 * A date that has passed is a wait of 0. @defaultValue `Date.now()`
 */
export function parseRetryAfter(value: string | null | undefined, now: number = Date.now()): number | undefined {
  const text = value?.trim();
  if (text === undefined) return undefined;
  const seconds = parseSeconds(text);
  if (seconds !== undefined) return seconds;
  const date = parseHttpDate(text, now);
  return date === undefined ? undefined : Math.max(0, Math.ceil(date - now));
}
