import type { StatedWait, WaitSource } from "../headers/stated-wait.ts";

/** A wait before a retry, as it will be slept. */
export interface RetryWait {
  /** Milliseconds; at least the base delay and at least what the server stated, at most the cap. */
  readonly ms: number;
  readonly source: WaitSource;
}

/** The options that waits depend on. */
export interface WaitOptions {
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
  readonly random: () => number;
}

/**
 * How long to wait before the retry number `retry` (1 for the first).
 *
 * - A stated wait is lengthened by up to `jitter` of itself, so that callers who were told the same do not come back in
 *   the same instant. Never shortened. Above the cap it is given as it is: the caller must give up.
 * - Without one, exponential backoff with full jitter above the base: between the base and `base * 2^retry`.
 * - A stated wait below the base is no more than the base says: the same backoff, so that a server which always says 0
 *   cannot make a tight loop.
 */
export function planWait(stated: StatedWait | undefined, retry: number, options: WaitOptions): RetryWait {
  const { baseDelayMs, maxDelayMs, jitter, random } = options;
  if (stated === undefined || stated.ms < baseDelayMs) {
    const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** retry);
    return { ms: baseDelayMs + fraction(random) * (ceiling - baseDelayMs), source: "backoff" };
  }
  if (stated.ms > maxDelayMs) return stated;
  return { ms: Math.min(stated.ms * (1 + jitter * fraction(random)), maxDelayMs), source: stated.source };
}

/** An injected source of randomness must not be able to make a wait NaN, negative or endless. */
function fraction(random: () => number): number {
  const value = random();
  return value >= 0 && value <= 1 ? value : 0.5;
}
