import { ConfigError, got } from "./errors.ts";

/** The longest window: 2^41 ms, some 69 years. */
export const MAX_DURATION_MS: number = 2 ** 41;

const UNITS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, "ms", "msec", "msecs", "millisecond", "milliseconds"],
      [1_000, "s", "sec", "secs", "second", "seconds"],
      [60_000, "m", "min", "mins", "minute", "minutes"],
      [3_600_000, "h", "hr", "hrs", "hour", "hours"],
      [86_400_000, "d", "day", "days"],
      [604_800_000, "w", "week", "weeks"],
    ] as const
  ).flatMap(([ms, ...names]) => names.map((name) => [name, ms] as const)),
);

const SPELLING = /^(\d+(?:\.\d+)?)?\s*([a-z]+)$/i;

/**
 * Whole milliseconds of a duration: a number of milliseconds, or a string such as `"60s"`,
 * `"1 minute"`, `"1.5 s"`, `"15m"` or `"minute"` (one of them).
 *
 * @throws {@link ConfigError} naming the option, unless the result is a whole number from 1 to 2^41.
 */
export function parseDuration(option: string, value: unknown): number {
  const ms = typeof value === "string" ? millisecondsOf(value) : value;
  if (typeof ms === "number" && Number.isSafeInteger(ms) && ms >= 1 && ms <= MAX_DURATION_MS) return ms;
  throw new ConfigError(
    "ERR_AFORO_INVALID_DURATION",
    `"${option}" must be whole milliseconds from 1 to 2^41 or a duration such as "60s" or "15 minutes", ${got(value)}`,
  );
}

function millisecondsOf(text: string): number {
  const match = SPELLING.exec(text.trim());
  const unit = UNITS.get(match?.[2]?.toLowerCase() ?? "");
  if (unit === undefined) return NaN;
  const ms = Number(match?.[1] ?? "1") * unit;
  // A decimal fraction such as 1.1 s is not exact in binary; what is off by rounding only was meant whole.
  return Math.abs(ms - Math.round(ms)) <= ms * 2 ** -50 ? Math.round(ms) : NaN;
}
