import { StoreError } from "../domain/errors.ts";
import type { CallOptions } from "../domain/store.ts";

interface Waiting {
  readonly deadline: number;
  readonly expire: (error: StoreError) => void;
  index: number;
}

/**
 * Bounds calls in time with one timer for all of them: a timer each would cost more than a batched
 * decision does. Entries sit in no order and are scanned only when the earliest is due.
 */
export class Deadlines {
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;

  /**
   * Settles as `call` does, or with `ERR_AFORO_STORE_TIMEOUT` at the deadline; what comes later is
   * swallowed. `settled` and `failed` map the outcome, so that a decision costs one promise.
   */
  bound<T, R>(
    call: () => Promise<T>,
    options: CallOptions,
    settled: (value: T) => R,
    failed: (error: unknown) => R | Promise<R>,
  ): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      const waiting: Waiting = { deadline: options.deadline, expire: fail, index: -1 };
      let pending: Promise<T>;
      try {
        pending = call();
      } catch (error) {
        fail(error);
        return;
      }
      this.#add(waiting);
      // The map stands inside, so that an answer that comes too late changes nothing.
      pending.then(
        (value) => {
          if (!this.#remove(waiting)) return;
          try {
            resolve(settled(value));
          } catch (error) {
            reject(error);
          }
        },
        (error: unknown) => {
          if (this.#remove(waiting)) fail(error);
        },
      );

      function fail(error: unknown): void {
        try {
          resolve(failed(error));
        } catch (unexpected) {
          reject(unexpected);
        }
      }
    });
  }

  #add(waiting: Waiting): void {
    waiting.index = this.#waiting.push(waiting) - 1;
    if (waiting.deadline < this.#due) this.#arm(waiting.deadline);
    // While a caller waits, its process must not end unanswered; while none does, nothing may hold it.
    else if (waiting.index === 0) this.#timer?.ref();
  }

  #remove(waiting: Waiting): boolean {
    const { index } = waiting;
    if (index < 0) return false;
    const last = this.#waiting.pop() as Waiting;
    if (last !== waiting) {
      this.#waiting[index] = last;
      last.index = index;
    }
    waiting.index = -1;
    if (this.#waiting.length === 0) this.#timer?.unref();
    return true;
  }

  #arm(due: number): void {
    clearTimeout(this.#timer);
    this.#due = due;
    // After one more look at the sockets: in a process that was busy the answer may have come already.
    const expire = (): void => void setImmediate(() => this.#expire());
    this.#timer = setTimeout(expire, Math.max(1, Math.ceil(due - performance.now())));
  }

  #expire(): void {
    const now = performance.now();
    this.#timer = undefined;
    this.#due = Infinity;
    for (const waiting of this.#waiting.filter(({ deadline }) => deadline <= now)) {
      // Another's expiry may have settled it.
      if (!this.#remove(waiting)) continue;
      waiting.expire(new StoreError("ERR_AFORO_STORE_TIMEOUT", "the store did not answer in time"));
    }
    const next = this.#waiting.reduce((least, { deadline }) => Math.min(least, deadline), Infinity);
    if (next < this.#due) this.#arm(next);
  }
}
