import { AforoError, got } from "./errors.ts";

/** Gives the time as milliseconds since the epoch. */
export type Clock = () => number;

/**
 * Reads an injected clock as whole milliseconds (fractions are cut off).
 *
 * @throws {@link AforoError} `ERR_AFORO_INVALID_CLOCK` when it gives no finite number >= 0.
 */
export function readClock(clock: Clock): number {
  const now = Math.floor(clock());
  if (now >= 0 && now < 2 ** 43) return now;
  throw new AforoError("ERR_AFORO_INVALID_CLOCK", `"clock" must return milliseconds since the epoch, ${got(now)}`);
}
