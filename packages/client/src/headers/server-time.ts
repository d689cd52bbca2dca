import type { HeaderSource } from "./header-source.ts";
import { parseHttpDate } from "./http-date.ts";

/**
 * What the server's clock showed when it answered, in epoch milliseconds: its `Date` header, else the local clock.
 *
 * The moments that a server names count from its own clock. `Date` is cut to whole seconds, so a wait computed from it
 * is never too short, and up to a second too long.
 */
export function serverTime(headers: HeaderSource, localNow: number = Date.now()): number {
  const date = headers.get("date");
  return (date === null ? undefined : parseHttpDate(date.trim(), localNow)) ?? localNow;
}
