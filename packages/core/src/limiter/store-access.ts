import { StoreError } from "../domain/errors.ts";
import { resolvePolicy, type ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Answering, CallOptions, Check, MaybePromise, Store, SyncStore } from "../domain/store.ts";
import type { EventListener } from "../observe/events.ts";
import type { StoreVerb } from "../observe/records.ts";
import { callEnded, callStart, storeChanged, type StoreName } from "../observe/store-messages.ts";
import { Breaker } from "./breaker.ts";
import { Deadlines } from "./deadlines.ts";
import { localPolicy } from "./local-policy.ts";
import { PendingCall, type CallEnds } from "./pending-call.ts";

/** What {@link StoreAccess} needs to know. */
export interface StoreAccessOptions {
  readonly limiter: string;
  readonly store: Store;
  /** A store in this process for `"local"`; made at the first outage, kept for the next. */
  readonly createLocalStore: () => SyncStore;
  readonly timeoutMs: number;
  /** Failures in a row that open the breaker. */
  readonly breakerThreshold: number;
  /** Ms between two background probes of a failing store. */
  readonly probeIntervalMs: number;
  readonly instances: number;
  /** The dearest cost that local limits must admit. */
  readonly dearest: number;
  readonly emit: EventListener;
}

/**
 * Asks the store. Gives its answer; or nothing, where the store was given `to`.
 *
 * @param to - is there for an asynchronous store.
 */
export type Invoke<T> = (
  store: Store,
  options: CallOptions | undefined,
  to: Answering<T> | undefined,
) => MaybePromise<T> | undefined;

/** Calls the store so that no caller waits longer than the deadline, and knows what stands in for it. */
export class StoreAccess implements CallEnds {
  readonly #options: StoreAccessOptions;
  readonly #name: StoreName;
  readonly #deadlines = new Deadlines();
  readonly #breaker: Breaker;
  readonly #localPolicies = new WeakMap<ResolvedPolicy, ResolvedPolicy>();
  readonly #probeCheck: Check;
  #local: SyncStore | undefined;
  #closed = false;

  constructor(options: StoreAccessOptions) {
    this.#options = options;
    const { limiter, emit } = options;
    const name = { limiter, store: options.store.kind };
    this.#name = name;
    this.#probeCheck = { policy: probePolicy(limiter), stateKey: "probe", cost: 1 };
    const events = {
      opened(error: unknown) {
        emit({ type: "store-down", limiter, error, detail: { store: name.store } });
        storeChanged(name, "down", error);
      },
      closed() {
        emit({ type: "store-up", limiter, detail: { store: name.store } });
        storeChanged(name, "up", undefined);
      },
    };
    this.#breaker = new Breaker(() => this.#probe(), events, options.breakerThreshold, options.probeIntervalMs);
  }

  /** Whether decisions go past the store at the moment. */
  get down(): boolean {
    return this.#breaker.open;
  }

  /**
   * One call: `settled` with the store's answer, or `failed` when there is none in time. Plain when the store is.
   *
   * @param deadline - `performance.now()`; default `timeoutMs` from now.
   */
  call<T, R>(
    verb: StoreVerb,
    invoke: Invoke<T>,
    settled: (value: T) => R,
    failed: (error: unknown) => R,
    deadline: number | undefined,
  ): MaybePromise<R> {
    const { store } = this.#options;
    if (this.#closed) return answer(store, failed, closedError(this.#options.limiter));
    if (store.sync) {
      const startedAt = callStart();
      let value: T;
      try {
        value = invoke(store, undefined, undefined) as T;
      } catch (error) {
        callEnded(this.#name, verb, startedAt, undefined, error);
        this.report(error);
        return failed(error);
      }
      callEnded(this.#name, verb, startedAt, value, undefined);
      return settled(value);
    }
    if (this.#breaker.open)
      return answer(
        store,
        failed,
        new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the store is failing and gets probed in the background"),
      );
    const due = deadline ?? performance.now() + this.#options.timeoutMs;
    const pending = new PendingCall<T, R>(this.#deadlines, due, this, verb, settled, failed);
    return ask(store, invoke, pending);
  }

  succeeded(verb: StoreVerb, startedAt: number | undefined, value: unknown): void {
    callEnded(this.#name, verb, startedAt, value, undefined);
    this.#breaker.succeeded();
  }

  failed(verb: StoreVerb, startedAt: number | undefined, error: unknown): void {
    callEnded(this.#name, verb, startedAt, undefined, error);
    this.report(error);
    this.#breaker.failed(error);
  }

  /** The store of this process, for `"local"`; `undefined` after `close`. */
  local(): SyncStore | undefined {
    if (this.#closed) return undefined;
    return (this.#local ??= this.#options.createLocalStore());
  }

  /** What stands in for a policy while this process counts alone. */
  localCheck<T extends Check>(check: T): T {
    let policy = this.#localPolicies.get(check.policy);
    if (policy === undefined) {
      policy = localPolicy(check.policy, this.#options.limiter, this.#options.instances, this.#options.dearest);
      this.#localPolicies.set(check.policy, policy);
    }
    return { ...check, policy };
  }

  close(): void {
    this.#closed = true;
    this.#breaker.stop();
    void this.#local?.close();
  }

  #probe(): Promise<unknown> {
    const due = performance.now() + this.#options.timeoutMs;
    const pending = new PendingCall<unknown, unknown>(this.#deadlines, due, UNSEEN, "consume", () => undefined, fail);
    // A write, since a demoted replica and a full store still answer reads.
    return ask(this.#options.store, (store, options) => store.consume([this.#probeCheck], options), pending);
  }

  /** Tells the operator of a call that failed. */
  report(error: unknown): void {
    this.#options.emit({
      type: "store-error",
      limiter: this.#options.limiter,
      error,
      detail: { store: this.#options.store.kind },
    });
  }
}

/** Nobody is told of probes. */
const UNSEEN: CallEnds = { succeeded: () => undefined, failed: () => undefined };

function fail(error: unknown): never {
  throw error;
}

/** Asks an asynchronous store, which waits for nothing longer than the call's deadline. */
function ask<T, R>(store: Store, invoke: Invoke<T>, pending: PendingCall<T, R>): Promise<R> {
  try {
    const answered = invoke(store, { deadline: pending.deadline }, pending);
    if (answered !== undefined) pending.follow(answered as Promise<T>);
  } catch (error) {
    pending.fail(error);
  }
  return pending.promise;
}

/** A failure known at once, as this kind of store answers it; `failed` may throw. */
function answer<R>(store: Store, failed: (error: unknown) => R, error: unknown): MaybePromise<R> {
  return store.sync ? failed(error) : new Promise<R>((resolve) => resolve(failed(error)));
}

function closedError(limiter: string): StoreError {
  return new StoreError("ERR_AFORO_CLOSED", `limiter "${limiter}" was closed`);
}

/** Never denies in practice, expires within seconds, and has a name that no policy can have. */
function probePolicy(limiter: string): ResolvedPolicy {
  return resolvePolicy(
    {
      limiter,
      name: "~probe",
      algorithm: "fixed-window",
      shadow: false,
      limit: 2 ** 31,
      window: 1_000,
      burst: undefined,
      delayAfter: undefined,
    },
    "probe",
  );
}
