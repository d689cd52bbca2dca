import type { Answering, CallOptions } from "../domain/store.ts";
import type { StoreVerb } from "../observe/records.ts";
import { callStart } from "../observe/store-messages.ts";
import type { Deadlines, Waiting } from "./deadlines.ts";

/** Is told of every call's end, before its caller. */
export interface CallEnds {
  succeeded(verb: StoreVerb, startedAt: number | undefined, value: unknown): void;
  failed(verb: StoreVerb, startedAt: number | undefined, error: unknown): void;
}

/**
 * A call on its way to the store. Settles once, by the answer or at its deadline; what comes later is swallowed.
 * It is all that a call allocates here beside one promise, since that is much of what a batched decision costs.
 */
export class PendingCall<T, R> implements Waiting, Answering<T> {
  index = -1;
  readonly #ends: CallEnds;
  readonly #verb: StoreVerb;
  readonly #startedAt: number | undefined;
  readonly #settled: (value: T) => R;
  readonly #failed: (error: unknown) => R;
  readonly #timeoutMs: number;
  #deadline: number | undefined;
  #deadlines: Deadlines | undefined;
  /** What was answered before anybody waited. */
  #early: Promise<R> | undefined;
  #resolve: ((value: R) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /**
   * @param deadline - `performance.now()`; left out, `timeoutMs` from when it is asked for.
   * @param settled - makes the caller's answer of the store's; may throw.
   * @param failed - makes it where there is none; may throw.
   */
  constructor(
    deadline: number | undefined,
    timeoutMs: number,
    ends: CallEnds,
    verb: StoreVerb,
    settled: (value: T) => R,
    failed: (error: unknown) => R,
  ) {
    this.#deadline = deadline;
    this.#timeoutMs = timeoutMs;
    this.#ends = ends;
    this.#verb = verb;
    this.#startedAt = callStart();
    this.#settled = settled;
    this.#failed = failed;
  }

  /** What is answered at once needs none, and reading the clock is a good part of what that costs. */
  get deadline(): number {
    return (this.#deadline ??= performance.now() + this.#timeoutMs);
  }

  /** The caller's answer, at its deadline at the latest. Once, after the store was asked. */
  within(deadlines: Deadlines): Promise<R> {
    if (this.#early !== undefined) return this.#early;
    this.#deadlines = deadlines;
    deadlines.add(this);
    return new Promise<R>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Asks for a promise, and is settled as it is. */
  ask(invoke: (options: CallOptions) => Promise<T>): void {
    try {
      invoke({ deadline: this.deadline }).then(
        (value) => this.settle(value),
        (error: unknown) => this.fail(error),
      );
    } catch (error) {
      this.fail(error);
    }
  }

  settle(value: T): void {
    if (!this.#isOpen()) return;
    try {
      this.#ends.succeeded(this.#verb, this.#startedAt, value);
      this.#answer(this.#settled(value));
    } catch (error) {
      this.#throw(error);
    }
  }

  fail(error: unknown): void {
    if (this.#isOpen()) this.expire(error);
  }

  expire(error: unknown): void {
    try {
      this.#ends.failed(this.#verb, this.#startedAt, error);
      this.#answer(this.#failed(error));
    } catch (unexpected) {
      this.#throw(unexpected);
    }
  }

  /** Whether this is the first that is heard of its end. */
  #isOpen(): boolean {
    return this.#deadlines === undefined ? this.#early === undefined : this.#deadlines.remove(this);
  }

  #answer(value: R): void {
    if (this.#resolve === undefined) this.#early = Promise.resolve(value);
    else this.#resolve(value);
  }

  #throw(error: unknown): void {
    if (this.#reject === undefined) this.#early = Promise.reject(error);
    else this.#reject(error);
  }
}
