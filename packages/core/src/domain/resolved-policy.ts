import { ConfigError } from "./errors.ts";
import type { AlgorithmName } from "./algorithm-name.ts";

/**
 * A policy as the algorithms read it: plain numbers, all exact. Made once per policy, or once per
 * distinct answer of a limit function, so that stores may key a table by its {@link space}.
 */
export interface ResolvedPolicy {
  readonly name: string;
  readonly algorithm: AlgorithmName;
  /** Whole units per window, 0 to 2^50. */
  readonly limit: number;
  /** Whole milliseconds. */
  readonly window: number;
  /** Most units at one instant: the limit for window algorithms, the burst for buckets, 0 at limit 0. */
  readonly capacity: number;
  /** Units that pass without delay (leaky-bucket), else 0. */
  readonly delayAfter: number;
  /** `limit` divided by the greatest common divisor of limit and window; gcra counts in 1/reducedLimit ms. */
  readonly reducedLimit: number;
  /** `window` divided by the same: what one unit occupies in gcra's count. */
  readonly reducedWindow: number;
  /**
   * How far ahead of now a time mark is still believed, in ms: the window, or for buckets the time to
   * fill from empty, rounded up (0 at limit 0).
   */
  readonly span: number;
  readonly shadow: boolean;
  /**
   * Names the states of this policy among all states of a store: limiter, policy, algorithm and
   * window (gcra: the whole rate), ending in `/`. The full name of a state is `space + stateKey`.
   */
  readonly space: string;
}

/** What {@link resolvePolicy} needs. */
export interface PolicyNumbers {
  readonly limiter: string;
  readonly name: string;
  readonly algorithm: AlgorithmName;
  readonly shadow: boolean;
  readonly limit: number;
  readonly window: number;
  readonly burst: number | undefined;
  readonly delayAfter: number | undefined;
}

/** One letter each keeps state keys short: thousands of them travel in one batch. */
const LETTERS: Readonly<Record<AlgorithmName, string>> = {
  "fixed-window": "f",
  "sliding-window-log": "l",
  "sliding-window-counter": "c",
  "token-bucket": "t",
  gcra: "g",
  "leaky-bucket": "q",
};

/**
 * @param option - how errors call the limit.
 * @throws {@link ConfigError} `ERR_AFORO_NOT_EXACT` when the numbers would pass 2^53; it says what to change.
 */
export function resolvePolicy(numbers: PolicyNumbers, option: string): ResolvedPolicy {
  const { limiter, name, algorithm, shadow, limit, window } = numbers;
  const bucket = algorithm === "token-bucket" || algorithm === "leaky-bucket";
  const delayAfter = numbers.delayAfter ?? 0;
  const burst = bucket || algorithm === "gcra" ? (numbers.burst ?? limit) : limit;
  const capacity = limit === 0 ? 0 : burst;
  const divisor = greatestCommonDivisor(limit, window);
  const reducedLimit = limit / divisor;
  const reducedWindow = window / divisor;

  if (bucket && 3 * Math.max(burst, delayAfter) * window >= 2 ** 53) {
    throw notExact(
      `"${option}": 3 x max(burst, delayAfter) x window = 3 x ${Math.max(burst, delayAfter)} x ${window} reaches 2^53; lower "burst" or shorten "window"`,
    );
  }
  // The one number of gcra holds the time as well: nothing here refuses a clock, so this says until when it is exact.
  if (algorithm === "gcra" && (reducedLimit > 4_096 || 2 ** 41 * reducedLimit + 4 * burst * reducedWindow >= 2 ** 53)) {
    throw notExact(
      `"${option}": gcra cannot count ${limit} per ${window} ms with a burst of ${burst} exactly; use "token-bucket", which decides the same`,
    );
  }
  const rate = algorithm === "gcra" ? `${reducedLimit}-${reducedWindow}` : `${window}`;
  return {
    name,
    algorithm,
    limit,
    window,
    capacity,
    delayAfter,
    reducedLimit,
    reducedWindow,
    span:
      bucket || algorithm === "gcra"
        ? limit === 0
          ? 0
          : Math.ceil((capacity * reducedWindow) / reducedLimit)
        : window,
    shadow,
    space: `${limiter}/${name}/${shadow ? "~" : ""}${LETTERS[algorithm]}${rate}/`,
  };
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

function notExact(message: string): ConfigError {
  return new ConfigError("ERR_AFORO_NOT_EXACT", message);
}
