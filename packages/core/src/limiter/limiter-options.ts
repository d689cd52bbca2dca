import { MAX_COST } from "../algorithms/algorithm.ts";
import { ConfigError, got } from "../domain/errors.ts";
import {
  requireFunction,
  requireInteger,
  requireKnownOptions,
  requireName,
  requireOneOf,
  requireSecret,
} from "../domain/options.ts";
import { checkPolicy, type CheckedPolicy, type Policy, type StoreErrorPolicy } from "../domain/policy.ts";
import type { Store } from "../domain/store.ts";
import type { EventListener } from "../observe/events.ts";
import type { DecisionListener } from "../observe/observer.ts";
import { requireShare, Sampler, type Sample } from "../observe/sampler.ts";

/** What {@link createLimiter} takes. */
export interface LimiterOptions<C = unknown> {
  /** Part of every state key; unique per store. 1 to 64 of `[A-Za-z0-9_.-]`. @defaultValue `"default"` */
  readonly name?: string;
  /** @defaultValue a memory store of the limiter's own, which each process has for itself */
  readonly store?: Store;
  /** At least one. */
  readonly policies: readonly Policy<C>[];
  /** What decides when the store cannot; policies may have their own. @defaultValue `"local"` */
  readonly onStoreError?: StoreErrorPolicy;
  /** Longest wait for the store in ms, 1 to 60,000; later answers change nothing. @defaultValue 100 */
  readonly storeTimeoutMs?: number;
  /** Longest wait for a limit function in ms, 1 to 60,000; then `fallbackLimit` or `onStoreError`. @defaultValue 1,000 */
  readonly limitTimeoutMs?: number;
  /** Store failures in a row that open the breaker, at least 1. @defaultValue 5 */
  readonly breakerThreshold?: number;
  /** Ms between two background probes while the breaker is open, at least 10. @defaultValue 500 */
  readonly probeIntervalMs?: number;
  /** Processes that share the traffic; `"local"` divides each limit by it. @defaultValue 1 */
  readonly instances?: number;
  /** The dearest cost a request may have: what a bad cost counts as, and the least capacity of `"local"`. @defaultValue 1 */
  readonly dearestCost?: number;
  /** Says that another limiter with this name on this store means the same quota. @defaultValue false */
  readonly shared?: boolean;
  /** Told of outages, of application functions that fail, and of keys near their limit; what it throws is swallowed. */
  readonly onEvent?: EventListener;
  /** Told of decisions, as records that are ready for a logger; what it throws is swallowed. */
  readonly onDecision?: DecisionListener<C>;
  /** Share of decisions that `onDecision` hears of: one, or `{ admitted: 0.01, denied: 1 }`; 0 to 1. @defaultValue 1 */
  readonly sample?: Sample;
  /** Share of a capacity, 0 to 1, from which on a key is near its limit. @defaultValue 0.8 */
  readonly nearLimit?: number;
  /**
   * Keys stand in records under an HMAC with this secret, so that nobody can guess them back; at least 16 characters, the
   * same in all instances. @defaultValue a random one, with which hashes of one process compare with no other's
   */
  readonly secret?: string;
}

/** The option names of {@link LimiterOptions}. */
const LIMITER_OPTIONS: readonly string[] = [
  "name",
  "store",
  "policies",
  "onStoreError",
  "storeTimeoutMs",
  "limitTimeoutMs",
  "breakerThreshold",
  "probeIntervalMs",
  "instances",
  "dearestCost",
  "shared",
  "onEvent",
  "onDecision",
  "sample",
  "nearLimit",
  "secret",
];

/** {@link LimiterOptions} after the checks, each with its default; those that may be left out stay as they are. */
export interface CheckedLimiterOptions<C> {
  readonly store: Store | undefined;
  readonly onEvent: EventListener | undefined;
  readonly onDecision: DecisionListener<C> | undefined;
  readonly secret: string | undefined;
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly onStoreError: StoreErrorPolicy;
  readonly storeTimeoutMs: number;
  readonly limitTimeoutMs: number;
  readonly breakerThreshold: number;
  readonly probeIntervalMs: number;
  readonly instances: number;
  readonly dearestCost: number;
  readonly shared: boolean;
  readonly sampler: Sampler;
  readonly nearLimit: number;
}

/** @throws {@link ConfigError} for anything that is not exactly right. */
export function checkLimiterOptions<C>(options: LimiterOptions<C>): CheckedLimiterOptions<C> {
  requireKnownOptions("createLimiter", options, LIMITER_OPTIONS);
  const name = requireName("name", options.name ?? "default");
  const { store, onEvent, onDecision, secret, shared = false } = options;
  if (store !== undefined) requireStore(store);
  if (onEvent !== undefined) requireFunction("onEvent", onEvent);
  if (onDecision !== undefined) requireFunction("onDecision", onDecision);
  if (secret !== undefined) requireSecret("secret", secret);
  if (typeof shared !== "boolean") {
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"shared" must be true or false, ${got(shared)}`);
  }
  return {
    name,
    store,
    policies: checkPolicies(name, options.policies),
    onStoreError: requireOneOf("onStoreError", options.onStoreError ?? "local", ["allow", "deny", "local"]),
    storeTimeoutMs: requireInteger("storeTimeoutMs", options.storeTimeoutMs ?? 100, 1, 60_000),
    limitTimeoutMs: requireInteger("limitTimeoutMs", options.limitTimeoutMs ?? 1_000, 1, 60_000),
    breakerThreshold: requireInteger("breakerThreshold", options.breakerThreshold ?? 5, 1),
    probeIntervalMs: requireInteger("probeIntervalMs", options.probeIntervalMs ?? 500, 10, 3_600_000),
    instances: requireInteger("instances", options.instances ?? 1, 1, 1_000_000),
    dearestCost: requireInteger("dearestCost", options.dearestCost ?? 1, 0, MAX_COST),
    shared,
    onEvent,
    onDecision,
    sampler: new Sampler(options.sample ?? 1),
    nearLimit: requireShare("nearLimit", options.nearLimit ?? 0.8),
    secret,
  };
}

function checkPolicies<C>(limiter: string, policies: unknown): readonly CheckedPolicy<C>[] {
  if (!Array.isArray(policies) || policies.length === 0) {
    throw new ConfigError(
      "ERR_AFORO_MISSING_OPTION",
      `"policies" must be an array of at least one policy, ${got(policies)}`,
    );
  }
  const checked = policies.map((policy: Policy<C>, index) => checkPolicy(limiter, policy, `policies[${index}]`));
  for (const [index, { name }] of checked.entries()) {
    if (checked.findIndex((policy) => policy.name === name) === index) continue;
    throw new ConfigError(
      "ERR_AFORO_DUPLICATE_NAME",
      `"policies[${index}].name" must be unique in a limiter, got ${JSON.stringify(name)} twice`,
    );
  }
  return checked;
}

function requireStore(store: unknown): void {
  const candidate = store as Partial<Store> | null;
  if (
    typeof candidate === "object" &&
    candidate !== null &&
    typeof candidate.consume === "function" &&
    typeof candidate.sync === "boolean"
  )
    return;
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `"store" must be a store such as memoryStore() or redisStore(client), ${got(store)}`,
  );
}
