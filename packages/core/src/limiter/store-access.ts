import { StoreError } from "../domain/errors.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { CallOptions, Check, MaybePromise, Reply, Store, SyncStore } from "../domain/store.ts";
import type { EventListener } from "../observe/events.ts";
import type { StoreVerb } from "../observe/records.ts";
import { callEnded, callStart, storeChanged, type StoreName } from "../observe/store-messages.ts";
import { Breaker } from "./breaker.ts";
import { Deadlines } from "./deadlines.ts";
import { localPolicy } from "./local-policy.ts";
import { PendingCall, type Answers, type CallEnds } from "./pending-call.ts";
import { probePolicy } from "./probe-policy.ts";

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
   * @param patienceMs - how long to wait for the store, from when it is asked. Default `timeoutMs`.
   */
  call<T, R>(
    verb: StoreVerb,
    invoke: (store: Store, options: CallOptions | undefined) => MaybePromise<T>,
    settled: (value: T) => R,
    failed: (error: unknown) => R,
    patienceMs: number | undefined,
  ): MaybePromise<R> {
    const { store, timeoutMs } = this.#options;
    const refusal = this.#refusal();
    if (refusal !== undefined) return store.sync ? failed(refusal) : promised(failed, refusal, undefined);
    const startedAt = callStart();
    if (!store.sync) {
      const pending = new PendingCall<T, R, undefined>(
        this,
        verb,
        patienceMs ?? timeoutMs,
        startedAt,
        { settled, failed },
        undefined,
      );
      pending.ask((options) => invoke(store, options) as Promise<T>);
      return pending.within(this.#deadlines);
    }
    let value: T;
    try {
      value = invoke(store, undefined) as T;
    } catch (error) {
      callEnded(this.#name, verb, startedAt, undefined, error);
      this.report(error);
      return failed(error);
    }
    callEnded(this.#name, verb, startedAt, value, undefined);
    return settled(value);
  }

  /**
   * As {@link call} of `consume`, without asking where the store need not be asked, and without a promise where it can do
   * without.
   *
   * @param listened - somebody is told of it, in the asynchronous context of its request, which only a promise keeps.
   */
  consume<R>(
    checks: readonly Check[],
    answers: Answers<Reply, R, readonly Check[]>,
    patienceMs: number | undefined,
    listened: boolean,
  ): MaybePromise<R> {
    const { store, timeoutMs } = this.#options;
    const refused = this.#refuses;
    if (!refused && !store.sync && store.remembered !== undefined) {
      const startedAt = listened ? callStart() : undefined;
      const reply = this.#remembered(store, checks);
      if (reply !== undefined) {
        callEnded(this.#name, "consume", startedAt, reply, undefined);
        return promised(answers.settled, reply, checks);
      }
    }
    if (refused || listened || store.consumeInto === undefined) {
      return this.call(
        "consume",
        (target, options) => target.consume(checks, options),
        (reply) => answers.settled(reply, checks),
        (error) => answers.failed(error, checks),
        patienceMs,
      );
    }
    const pending = new PendingCall(this, "consume", patienceMs ?? timeoutMs, undefined, answers, checks);
    try {
      store.consumeInto(checks, pending);
    } catch (error) {
      pending.fail(error);
    }
    return pending.within(this.#deadlines);
  }

  #remembered(store: Store, checks: readonly Check[]): Reply | undefined {
    try {
      return store.remembered?.(checks);
    } catch (error) {
      this.report(error);
      return undefined;
    }
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

  get #refuses(): boolean {
    return this.#closed || this.#breaker.open;
  }

  /** Why the store is not asked, where it is not. */
  #refusal(): StoreError | undefined {
    if (!this.#refuses) return undefined;
    if (this.#closed) return new StoreError("ERR_AFORO_CLOSED", `limiter "${this.#options.limiter}" was closed`);
    return new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the store is failing and gets probed in the background");
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
    const { store, timeoutMs } = this.#options;
    const pending = new PendingCall<unknown, unknown, undefined>(
      UNSEEN,
      "consume",
      timeoutMs,
      undefined,
      PROBE,
      undefined,
    );
    // A write, since a demoted replica and a full store still answer reads.
    pending.ask((options) => store.consume([this.#probeCheck], options) as Promise<unknown>);
    return pending.within(this.#deadlines);
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

const PROBE: Answers<unknown, undefined, undefined> = {
  settled: () => undefined,
  failed: (error) => {
    throw error;
  },
};

/** What is made of something known at once, as an asynchronous store answers it; `make` may throw. */
function promised<T, About, R>(make: (value: T, about: About) => R, value: T, about: About): Promise<R> {
  try {
    return Promise.resolve(make(value, about));
  } catch (error) {
    return Promise.reject(error);
  }
}
