import { requireFunction, requireInteger, requireKnownOptions } from "../domain/options.ts";
import { MAX_LIMIT, parseRate } from "../domain/rate.ts";
import { parseDuration } from "../domain/duration.ts";
import { ConfigError, got } from "../domain/errors.ts";
import { createLimiter } from "../limiter/create-limiter.ts";
import type { LimiterOptions } from "../limiter/limiter-options.ts";
import { QueueShaper, type Shaper } from "./shaper.ts";

/** Places in the schedule that processes may hold beyond the burst, in units: one head each. */
const RESERVABLE = 1_024;

/** What {@link createShaper} takes; options of the limiter beneath are passed on. */
export interface ShaperOptions<K = string> extends Omit<LimiterOptions, "policies" | "dearestCost" | "limitTimeoutMs"> {
  /** The outflow: a rate string, or whole units above 0 with `window`. */
  readonly limit: string | number;
  /** Milliseconds or a duration string, beside a number. */
  readonly window?: number | string;
  /** Units that may go at once after a pause, at least 1. @defaultValue 1: evenly spaced */
  readonly burst?: number;
  /** Names the schedule that a job belongs to. @defaultValue the key as given, which must be a text */
  readonly key?: (key: K) => string;
  /** Jobs of one key that run at the same time in this process, at least 1. @defaultValue unbounded */
  readonly concurrency?: number;
  /** Jobs that may wait in this process, at least 0. @defaultValue 1,000 */
  readonly maxQueue?: number;
}

const OWN_OPTIONS = ["limit", "window", "burst", "key", "concurrency", "maxQueue"];
const PASSED_OPTIONS = [
  "name",
  "store",
  "onStoreError",
  "storeTimeoutMs",
  "breakerThreshold",
  "probeIntervalMs",
  "instances",
  "shared",
  "onEvent",
];

/**
 * Creates a queue that releases work at a steady rate: webhooks, or calls to an API with a quota of
 * its own. Processes that share the store share the rate. The queue itself lives in this process; for jobs that must outlive
 * a crash put a durable queue, such as BullMQ, before it.
 *
 * @throws {@link ConfigError} for options that are not exactly right.
 * @example
 * const shaper = createShaper({ limit: "10/second" });
 * const response = await shaper.run("api.example.com", ({ signal }) => fetch(url, { signal }));
 */
export function createShaper<K = string>(options: ShaperOptions<K>): Shaper<K> {
  requireKnownOptions("createShaper", options, [...OWN_OPTIONS, ...PASSED_OPTIONS]);
  const { limit, window, burst = 1, key, concurrency, maxQueue, ...passed } = options;
  const rate = rateOf(limit, window);
  requireInteger("limit", rate.limit, 1, MAX_LIMIT);
  const delayAfter = requireInteger("burst", burst, 1, MAX_LIMIT) - 1;
  if (key !== undefined) requireFunction("key", key);
  const limiter = createLimiter({
    ...passed,
    name: passed.name ?? "shaper",
    policies: [
      {
        name: "outflow",
        algorithm: "leaky-bucket",
        ...rate,
        delayAfter,
        burst: delayAfter + Math.max(rate.limit, RESERVABLE),
      },
    ],
  });
  return new QueueShaper({
    limiter,
    keyOf: key ?? ((given: K): unknown => given),
    concurrency: concurrency === undefined ? Infinity : requireInteger("concurrency", concurrency, 1),
    maxQueue: requireInteger("maxQueue", maxQueue ?? 1_000, 0),
  });
}

function rateOf(limit: unknown, window: unknown): { readonly limit: number; readonly window: number } {
  if (typeof limit === "string") {
    if (window === undefined) return parseRate("limit", limit);
    throw new ConfigError(
      "ERR_AFORO_CONFLICTING_OPTIONS",
      `"limit" ${JSON.stringify(limit)} already names its window; leave out "window", ${got(window)}`,
    );
  }
  return { limit: requireInteger("limit", limit, 1, MAX_LIMIT), window: parseDuration("window", window) };
}
