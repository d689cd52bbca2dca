import { parseHttpDate } from "./http-date.ts";
import { parseSeconds } from "./seconds.ts";

/** 2001-09-09 as epoch seconds, and 31 years as a delay: what lies above is a moment, what lies below a delay. */
const SMALLEST_EPOCH_SECONDS = 1e9;
/** 1973 as epoch milliseconds, the year 5138 as epoch seconds. */
const SMALLEST_EPOCH_MS = 1e11;
/** The year 2255; beyond are other units, and digits without sense. */
const LARGEST_EPOCH_MS = 9e12;

const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Reads an `X-RateLimit-Reset` value, whatever its author meant by it: seconds from now, epoch seconds, epoch
 * milliseconds, an ISO 8601 time or an HTTP-date. Gives the wait in whole milliseconds, 0 or more; `undefined` when
 * malformed.
 *
 * @param now - Epoch milliseconds that a moment counts from; see {@link serverTime}.
 */
export function parseRateLimitReset(value: string | null | undefined, now: number = Date.now()): number | undefined {
  const text = value?.trim();
  if (text === undefined) return undefined;
  const milliseconds = parseSeconds(text);
  if (milliseconds === undefined) return untilMoment(parseMoment(text, now), now);
  const seconds = milliseconds / 1000;
  if (seconds < SMALLEST_EPOCH_SECONDS) return milliseconds;
  if (seconds < SMALLEST_EPOCH_MS) return untilMoment(milliseconds, now);
  return seconds <= LARGEST_EPOCH_MS ? untilMoment(seconds, now) : undefined;
}

function parseMoment(text: string, now: number): number | undefined {
  if (!ISO_DATE.test(text)) return parseHttpDate(text, now);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

function untilMoment(moment: number | undefined, now: number): number | undefined {
  return moment === undefined ? undefined : Math.max(0, Math.ceil(moment - now));
}
