import { parseDuration } from "./duration.ts";
import { ConfigError, got } from "./errors.ts";

/** `limit` units in every `window` milliseconds. */
export interface Rate {
  /** Whole units, 0 to 2^50; 0 admits nothing. */
  readonly limit: number;
  /** Whole milliseconds, at least 1. */
  readonly window: number;
}

/** The largest limit: sums of two counts and a cost stay exact below 2^53. */
export const MAX_LIMIT: number = 2 ** 50;

const SPELLING = /^(\d+)\s*(?:\/|\bper\b)\s*(.+)$/i;

/**
 * Reads `"100/minute"`, `"100/15m"` or `"10 per second"`.
 *
 * @throws {@link ConfigError} naming the option when the text is no rate.
 */
export function parseRate(option: string, text: string): Rate {
  const match = SPELLING.exec(text.trim());
  const limit = Number(match?.[1]);
  if (match === null || !Number.isSafeInteger(limit) || limit > MAX_LIMIT) {
    throw new ConfigError(
      "ERR_AFORO_INVALID_RATE",
      `"${option}" must be a rate such as "100/minute" or "10 per second", ${got(text)}`,
    );
  }
  return { limit, window: parseDuration(option, match[2]) };
}
