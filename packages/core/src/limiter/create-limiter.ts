import cluster from "node:cluster";
import type { Limit, Policy, StoreErrorPolicy } from "../domain/policy.ts";
import type { AsyncStore, Store, SyncStore } from "../domain/store.ts";
import { memoryStore } from "../memory/memory-store.ts";
import { createEmitter } from "../observe/emitter.ts";
import { KeyDigest } from "../observe/key-digest.ts";
import { Observer } from "../observe/observer.ts";
import { Engine } from "./engine.ts";
import { checkLimiterOptions, type LimiterOptions } from "./limiter-options.ts";
import type { Limiter } from "./limiter.ts";
import { claimName } from "./names.ts";
import { Planner } from "./planner.ts";
import { StoreAccess } from "./store-access.ts";

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
  const checked = checkLimiterOptions(options);
  const { name, policies, onStoreError, onEvent } = checked;
  const store: Store = checked.store ?? memoryStore();
  const release = claimName(store, name, checked.shared);
  if (store.kind === "memory") warnOfManyProcesses(name);
  const emit = createEmitter(onEvent);
  const observer = new Observer<C>({
    limiter: name,
    keys: new KeyDigest(checked.secret),
    sampler: checked.sampler,
    onDecision: checked.onDecision,
    nearLimit: checked.nearLimit,
    emit,
    heard: onEvent !== undefined,
  });
  const modes = new Map(policies.map((policy) => [policy.name, policy.onStoreError ?? onStoreError]));
  const modeOf = (policy: string): StoreErrorPolicy => modes.get(policy) ?? onStoreError;
  const access = new StoreAccess({
    limiter: name,
    store,
    createLocalStore: memoryStore,
    timeoutMs: checked.storeTimeoutMs,
    breakerThreshold: checked.breakerThreshold,
    probeIntervalMs: checked.probeIntervalMs,
    instances: checked.instances,
    dearest: checked.dearestCost,
    emit,
  });
  const planner = new Planner(name, policies, modeOf, checked.limitTimeoutMs, Math.max(1, checked.dearestCost), emit);
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
    ownsStore: checked.store === undefined,
  });
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
