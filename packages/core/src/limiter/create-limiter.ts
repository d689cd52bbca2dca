import cluster from "node:cluster";
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
import { checkPolicy, type CheckedPolicy, type Limit, type Policy, type StoreErrorPolicy } from "../domain/policy.ts";
import type { AsyncStore, Store, SyncStore } from "../domain/store.ts";
import { memoryStore } from "../memory/memory-store.ts";
import { createEmitter } from "../observe/emitter.ts";
import type { EventListener } from "../observe/events.ts";
import { KeyDigest } from "../observe/key-digest.ts";
import { Observer, type DecisionListener } from "../observe/observer.ts";
import { requireShare, Sampler, type Sample } from "../observe/sampler.ts";
import { Engine } from "./engine.ts";
import type { Limiter } from "./limiter.ts";
import { claimName } from "./names.ts";
import { Planner } from "./planner.ts";
import { StoreAccess } from "./store-access.ts";

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

/** A policy whose limit, if a function, answers at once. */
export type SyncPolicy<C> = Policy<C> & { readonly limit: Limit | ((context: C) => Limit) };

/**
 * Creates a limiter. With the memory store its verbs give plain values; with an asynchronous store, promises; with the
 * memory store and asynchronous limit functions, either.
 *
 * @throws {@link ConfigError} for anything in the options that is not exactly right.
 * @example
 * const limiter = createLimiter({ name: "api", policies: [{ name: "minute", limit: "100/minute" }] });
 * const { allowed, retryAfterMs } = limiter.consume("user 42");
 */
export function createLimiter<C = unknown>(
  options: LimiterOptions<C> & { readonly store?: SyncStore; readonly policies: readonly SyncPolicy<C>[] },
): Limiter<true, C>;
export function createLimiter<C = unknown>(
  options: LimiterOptions<C> & { readonly store: AsyncStore },
): Limiter<false, C>;
export function createLimiter<C = unknown>(options: LimiterOptions<C>): Limiter<boolean, C>;
export function createLimiter<C>(options: LimiterOptions<C>): Limiter<boolean, C> {
  requireKnownOptions("createLimiter", options, LIMITER_OPTIONS);
  const name = requireName("name", options.name ?? "default");
  const policies = checkPolicies(name, options.policies);
  const onStoreError = requireOneOf("onStoreError", options.onStoreError ?? "local", ["allow", "deny", "local"]);
  const dearest = requireInteger("dearestCost", options.dearestCost ?? 1, 0, MAX_COST);
  const limitTimeoutMs = requireInteger("limitTimeoutMs", options.limitTimeoutMs ?? 1_000, 1, 60_000);
  const timeoutMs = requireInteger("storeTimeoutMs", options.storeTimeoutMs ?? 100, 1, 60_000);
  const breakerThreshold = requireInteger("breakerThreshold", options.breakerThreshold ?? 5, 1);
  const probeIntervalMs = requireInteger("probeIntervalMs", options.probeIntervalMs ?? 500, 10, 3_600_000);
  const instances = requireInteger("instances", options.instances ?? 1, 1, 1_000_000);
  if (options.onEvent !== undefined) requireFunction("onEvent", options.onEvent);
  if (options.onDecision !== undefined) requireFunction("onDecision", options.onDecision);
  const sampler = new Sampler(options.sample ?? 1);
  const nearLimit = requireShare("nearLimit", options.nearLimit ?? 0.8);
  const secret = options.secret === undefined ? undefined : requireSecret("secret", options.secret);
  if (options.shared !== undefined && typeof options.shared !== "boolean") {
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"shared" must be true or false, ${got(options.shared)}`);
  }
  if (options.store !== undefined) requireStore(options.store);

  const store: Store = options.store ?? memoryStore();
  const release = claimName(store, name, options.shared ?? false);
  if (store.kind === "memory") warnOfManyProcesses(name);
  const emit = createEmitter(options.onEvent);
  const observer = new Observer<C>({
    limiter: name,
    keys: new KeyDigest(secret),
    sampler,
    onDecision: options.onDecision,
    nearLimit,
    emit,
    heard: options.onEvent !== undefined,
  });
  const modes = new Map(policies.map((policy) => [policy.name, policy.onStoreError ?? onStoreError]));
  const modeOf = (policy: string): StoreErrorPolicy => modes.get(policy) ?? onStoreError;
  const access = new StoreAccess({
    limiter: name,
    store,
    createLocalStore: memoryStore,
    timeoutMs,
    breakerThreshold,
    probeIntervalMs,
    instances,
    dearest,
    emit,
  });
  const planner = new Planner(name, policies, modeOf, limitTimeoutMs, Math.max(1, dearest), emit);
  return new Engine({
    name,
    policies,
    store,
    access,
    planner,
    modeOf,
    emit,
    observer,
    release,
    ownsStore: options.store === undefined,
  });
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

function warnOfManyProcesses(limiter: string): void {
  // PM2's cluster mode numbers its processes; NODE_APP_INSTANCE is 0 for the first.
  if (!cluster.isWorker && process.env["NODE_APP_INSTANCE"] === undefined) return;
  process.emitWarning(
    `limiter "${limiter}" keeps its state in this process: each of several processes counts alone. Use redisStore to count together.`,
    {
      code: "AFORO_MEMORY_PER_PROCESS",
    },
  );
}
