import { StoreError } from "../domain/errors.ts";

/** What waits until its deadline, and no longer. */
export interface Waiting {
  /** `performance.now()`. */
  readonly deadline: number;
  /** Where it waits; kept by {@link Deadlines}, -1 where it does not. */
  index: number;
  expire(error: StoreError): void;
}

/**
 * Bounds calls in time with one timer for all of them: a timer each would cost more than a batched
 * decision does. Entries sit in no order and are scanned only when the earliest is due.
 */
export class Deadlines {
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #due = Infinity;

  add(waiting: Waiting): void {
    waiting.index = this.#waiting.push(waiting) - 1;
    if (waiting.deadline < this.#due) this.#arm(waiting.deadline);
    // While a caller waits, its process must not end unanswered; while none does, nothing may hold it.
    else if (waiting.index === 0) this.#timer?.ref();
  }

  /** Whether it was still waiting. */
  remove(waiting: Waiting): boolean {
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
      if (!this.remove(waiting)) continue;
      waiting.expire(new StoreError("ERR_AFORO_STORE_TIMEOUT", "the store did not answer in time"));
    }
    const next = this.#waiting.reduce((least, { deadline }) => Math.min(least, deadline), Infinity);
    if (next < this.#due) this.#arm(next);
  }
}
