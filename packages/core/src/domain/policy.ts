import { ALGORITHMS, type AlgorithmName } from "./algorithm-name.ts";
import { parseDuration } from "./duration.ts";
import { ConfigError, got } from "./errors.ts";
import { requireInteger, requireKnownOptions, requireName, requireOneOf } from "./options.ts";
import { MAX_LIMIT, parseRate, type Rate } from "./rate.ts";
import { resolvePolicy, type ResolvedPolicy } from "./resolved-policy.ts";

/** A rate string such as `"100/minute"`, or whole units for the policy's `window`. */
export type Limit = string | number;

/** What decides when the store cannot: admit, reject with 503, or enforce in this process. */
export type StoreErrorPolicy = "allow" | "deny" | "local";

/**
 * A named quota: so much cost per window.
 *
 * @typeParam C - what limit functions are given: the request view in the adapters.
 */
export interface Policy<C = unknown> {
  /** Part of every state key and shown in headers and problem bodies; unique per limiter. 1 to 64 of `[A-Za-z0-9_.-]`. */
  readonly name: string;
  /**
   * How it is counted. `gcra` cannot express every rate; what it accepts is exact until 2^41 ms after the epoch (September
   * 2039) at least, and a limit of up to 1,000 until 2255. @defaultValue `"sliding-window-counter"`
   */
  readonly algorithm?: AlgorithmName;
  /** The quota; 0 admits nothing. A function decides by request (plans and tiers). */
  readonly limit: Limit | ((context: C) => Limit | Promise<Limit>);
  /** Milliseconds or a duration string; required beside a number, an error beside a rate string. */
  readonly window?: number | string;
  /** Most units admitted at one instant, at least 1; buckets and gcra only. @defaultValue the limit */
  readonly burst?: number;
  /** Units that pass without delay, at least 0; leaky-bucket only. @defaultValue 0 */
  readonly delayAfter?: number;
  /** `"shadow"` decides and reports but never rejects. @defaultValue `"enforce"` */
  readonly mode?: "enforce" | "shadow";
  /** Overrides the limiter's. */
  readonly onStoreError?: StoreErrorPolicy;
  /** Used when the limit function fails. Without it `onStoreError` applies. */
  readonly fallbackLimit?: Limit;
}

/** The option names of {@link Policy}. */
export const POLICY_OPTIONS: readonly string[] = [
  "name",
  "algorithm",
  "limit",
  "window",
  "burst",
  "delayAfter",
  "mode",
  "onStoreError",
  "fallbackLimit",
];

/** A policy whose options were all checked; numbers of a limit function are resolved for each request. */
export interface CheckedPolicy<C = unknown> {
  readonly name: string;
  readonly algorithm: AlgorithmName;
  readonly shadow: boolean;
  readonly onStoreError: StoreErrorPolicy | undefined;
  /** The numbers, when they do not depend on the request. */
  readonly fixed: ResolvedPolicy | undefined;
  /** The limit function, when they do. */
  readonly limit: ((context: C) => Limit | Promise<Limit>) | undefined;
  /** The numbers to use when the limit function fails. */
  readonly fallback: ResolvedPolicy | undefined;
  /**
   * The numbers for what a limit function returned.
   * @throws {@link ConfigError} when that is no limit.
   */
  readonly resolve: (limit: Limit) => ResolvedPolicy;
  /** All numbers known so far, one for each state space: a key may have a state in each. */
  known(): readonly ResolvedPolicy[];
}

/**
 * Checks a policy's options once.
 *
 * @param limiter - the limiter's name, part of every state key.
 * @param where - how errors call it, such as `policies[0]`.
 * @throws {@link ConfigError} for anything that is not exactly one sensible policy.
 */
export function checkPolicy<C>(limiter: string, policy: Policy<C>, where: string): CheckedPolicy<C> {
  requireKnownOptions(where, policy, POLICY_OPTIONS);
  const name = requireName(`${where}.name`, policy.name);
  const at = `${where}.`;
  const algorithm = requireOneOf(`${at}algorithm`, policy.algorithm ?? "sliding-window-counter", ALGORITHMS);
  const shadow = requireOneOf(`${at}mode`, policy.mode ?? "enforce", ["enforce", "shadow"]) === "shadow";
  const onStoreError =
    policy.onStoreError === undefined
      ? undefined
      : requireOneOf(`${at}onStoreError`, policy.onStoreError, ["allow", "deny", "local"]);
  const window = policy.window === undefined ? undefined : parseDuration(`${at}window`, policy.window);
  if (policy.limit === undefined)
    throw new ConfigError("ERR_AFORO_MISSING_OPTION", `"${at}limit" is required, such as "100/minute"`);

  const bucket = algorithm === "token-bucket" || algorithm === "gcra" || algorithm === "leaky-bucket";
  if (policy.burst !== undefined) {
    if (!bucket)
      throw conflicting(
        `"${at}burst" goes with token-bucket, gcra and leaky-bucket, not with ${algorithm}; leave it out`,
      );
    requireInteger(`${at}burst`, policy.burst, 1, MAX_LIMIT);
  }
  if (policy.delayAfter !== undefined) {
    if (algorithm !== "leaky-bucket")
      throw conflicting(`"${at}delayAfter" goes with leaky-bucket, not with ${algorithm}; leave it out`);
    requireInteger(`${at}delayAfter`, policy.delayAfter, 0, MAX_LIMIT);
  }

  const resolve = (option: string, limit: unknown): ResolvedPolicy => {
    const rate = rateOf(option, limit, window, policy.window);
    return resolvePolicy(
      { limiter, name, algorithm, shadow, ...rate, burst: policy.burst, delayAfter: policy.delayAfter },
      option,
    );
  };
  const dynamic = typeof policy.limit === "function" ? policy.limit : undefined;
  if (policy.fallbackLimit !== undefined && dynamic === undefined) {
    throw conflicting(`"${at}fallbackLimit" goes with a limit function; leave it out`);
  }
  const fixed = dynamic === undefined ? resolve(`${at}limit`, policy.limit) : undefined;
  const fallback = policy.fallbackLimit === undefined ? undefined : resolve(`${at}fallbackLimit`, policy.fallbackLimit);
  const spaces = new Map<string, ResolvedPolicy>();
  for (const numbers of [fixed, fallback]) if (numbers !== undefined) spaces.set(numbers.space, numbers);
  return {
    name,
    algorithm,
    shadow,
    onStoreError,
    fixed,
    limit: dynamic,
    fallback,
    resolve: cached((limit) => {
      const numbers = resolve(`${at}limit`, limit);
      spaces.set(numbers.space, numbers);
      if (spaces.size > 1_000) spaces.delete(spaces.keys().next().value as string);
      return numbers;
    }),
    known: () => [...spaces.values()],
  };
}

function rateOf(option: string, limit: unknown, window: number | undefined, spelt: unknown): Rate {
  if (typeof limit === "string") {
    if (window !== undefined) {
      throw conflicting(
        `"${option}" ${JSON.stringify(limit)} already names its window; leave out "window", ${got(spelt)}`,
      );
    }
    return parseRate(option, limit);
  }
  if (typeof limit !== "number") {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"${option}" must be a rate string such as "100/minute" or a whole number with "window", ${got(limit)}`,
    );
  }
  requireInteger(option, limit, 0, MAX_LIMIT);
  if (window === undefined) {
    throw new ConfigError(
      "ERR_AFORO_MISSING_OPTION",
      `"${option}" of ${limit} needs a "window", or write it as a rate such as "${limit}/minute"`,
    );
  }
  return { limit, window };
}

/** Plans are few: remembers what each limit resolved to, and starts anew should they turn out to be many. */
function cached(resolve: (limit: Limit) => ResolvedPolicy): (limit: Limit) => ResolvedPolicy {
  const known = new Map<Limit, ResolvedPolicy>();
  return (limit) => {
    let resolved = known.get(limit);
    if (resolved === undefined) {
      resolved = resolve(limit);
      if (known.size >= 1_000) known.clear();
      known.set(limit, resolved);
    }
    return resolved;
  };
}

function conflicting(message: string): ConfigError {
  return new ConfigError("ERR_AFORO_CONFLICTING_OPTIONS", message);
}
