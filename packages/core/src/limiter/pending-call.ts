import type { StoreError } from "../domain/errors.ts";
import type { Answering } from "../domain/store.ts";
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
  readonly deadline: number;
  readonly promise: Promise<R>;
  index = -1;
  readonly #deadlines: Deadlines;
  readonly #ends: CallEnds;
  readonly #verb: StoreVerb;
  readonly #startedAt: number | undefined;
  readonly #settled: (value: T) => R;
  readonly #failed: (error: unknown) => R;
  #resolve!: (value: R) => void;
  #reject!: (error: unknown) => void;

  /**
   * @param settled - makes the caller's answer of the store's; may throw.
   * @param failed - makes it where there is none; may throw.
   */
  constructor(
    deadlines: Deadlines,
    deadline: number,
    ends: CallEnds,
    verb: StoreVerb,
    settled: (value: T) => R,
    failed: (error: unknown) => R,
  ) {
    this.deadline = deadline;
    this.#deadlines = deadlines;
    this.#ends = ends;
    this.#verb = verb;
    this.#startedAt = callStart();
    this.#settled = settled;
    this.#failed = failed;
    this.promise = new Promise<R>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    deadlines.add(this);
  }

  /** Waits for a promise. */
  follow(answer: Promise<T>): void {
    answer.then(
      (value) => this.settle(value),
      (error: unknown) => this.fail(error),
    );
  }

  settle(value: T): void {
    if (!this.#deadlines.remove(this)) return;
    try {
      this.#ends.succeeded(this.#verb, this.#startedAt, value);
      this.#resolve(this.#settled(value));
    } catch (error) {
      this.#reject(error);
    }
  }

  fail(error: unknown): void {
    if (this.#deadlines.remove(this)) this.expire(error as StoreError);
  }

  expire(error: unknown): void {
    try {
      this.#ends.failed(this.#verb, this.#startedAt, error);
      this.#resolve(this.#failed(error));
    } catch (unexpected) {
      this.#reject(unexpected);
    }
  }
}
