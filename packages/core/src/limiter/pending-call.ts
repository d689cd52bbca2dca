import type { Answering, CallOptions } from "../domain/store.ts";
import type { StoreVerb } from "../observe/records.ts";
import type { Deadlines, Waiting } from "./deadlines.ts";

/** Is told of every call's end, before its caller. */
export interface CallEnds {
  succeeded(verb: StoreVerb, startedAt: number | undefined, value: unknown): void;
  failed(verb: StoreVerb, startedAt: number | undefined, error: unknown): void;
}

/** Makes the caller's answer of a call's end. One for many calls, each of which says what it was about. */
export interface Answers<T, R, About> {
  /** Of what the store answered; may throw. */
  readonly settled: (value: T, about: About) => R;
  /** Where it answered nothing in time; may throw. */
  readonly failed: (error: unknown, about: About) => R;
}

/**
 * A call on its way to the store. Settles once, by the answer or at its deadline; what comes later is swallowed.
 * It is all that a batched decision allocates here beside one promise, since that is much of what it costs.
 */
export class PendingCall<T, R, About> implements Waiting, Answering<T> {
  index = -1;
  readonly #ends: CallEnds;
  readonly #verb: StoreVerb;
  readonly #startedAt: number | undefined;
  readonly #answers: Answers<T, R, About>;
  readonly #about: About;
  readonly #patienceMs: number;
  #deadline: number | undefined;
  #deadlines: Deadlines | undefined;
  /** What was answered before anybody waited. */
  #early: Promise<R> | undefined;
  #resolve: ((value: R) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  /**
   * @param patienceMs - how long the caller waits, from when the deadline is asked for first.
   * @param startedAt - for `ends`.
   */
  constructor(
    ends: CallEnds,
    verb: StoreVerb,
    patienceMs: number,
    startedAt: number | undefined,
    answers: Answers<T, R, About>,
    about: About,
  ) {
    this.#ends = ends;
    this.#verb = verb;
    this.#patienceMs = patienceMs;
    this.#startedAt = startedAt;
    this.#answers = answers;
    this.#about = about;
  }

  /** What is answered at once needs none, and reading the clock is a good part of what that costs. */
  get deadline(): number {
    return (this.#deadline ??= performance.now() + this.#patienceMs);
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
      this.#answer(this.#answers.settled(value, this.#about));
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
      this.#answer(this.#answers.failed(error, this.#about));
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
