import { AforoError } from "../domain/errors.ts";
import type { Decision } from "../domain/decision.ts";
import type { MaybePromise } from "../domain/store.ts";
import type { Job } from "./job.ts";
import { longTimer } from "../limiter/long-timer.ts";

/** What a lane needs of its shaper. */
export interface LaneOptions {
  readonly concurrency: number;
  /** Takes units of the shared schedule. */
  reserve(cost: number): MaybePromise<Decision>;
  /** Called whenever a job left the queue or ended, with whether the lane is empty. */
  moved(empty: boolean): void;
}

/** A place in the shared schedule: whoever is first in the queue then goes. */
interface Slot {
  readonly cost: number;
  /** `performance.now()` */
  readonly at: number;
}

/**
 * The queue of one key in this process. Only its head holds a place in the shared schedule, so that
 * several processes take turns and a crash costs the schedule one place at most.
 */
export class Lane {
  readonly #options: LaneOptions;
  /** In order of arrival; a set, since a caller may leave from the middle. */
  readonly #queue = new Set<Job>();
  #running = 0;
  #slot: Slot | undefined;
  #pausedUntil = 0;
  /** Set while a reservation is asked for or a timer runs. */
  #busy = false;
  #cancelTimer: (() => void) | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get empty(): boolean {
    return this.#queue.size === 0 && this.#running === 0;
  }

  add(job: Job): void {
    this.#queue.add(job);
    this.#advance();
  }

  /** Takes a job out; its place in the schedule passes to the next. */
  remove(job: Job): boolean {
    if (!this.#queue.delete(job)) return false;
    this.#options.moved(this.empty);
    return true;
  }

  /** Holds back also a head whose place was taken before the pause. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /** Fails everything that waits. */
  clear(error: unknown): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#busy = false;
    for (const job of this.#queue) {
      this.#queue.delete(job);
      job.fail(error);
    }
    this.#options.moved(this.empty);
  }

  #advance(): void {
    const head = this.#head();
    if (this.#busy || head === undefined || this.#running >= this.#options.concurrency) return;
    if (this.#slot !== undefined && this.#slot.cost >= head.cost) this.#waitUntil(this.#slot.at);
    else void this.#reserve(head);
  }

  async #reserve(head: Job): Promise<void> {
    this.#busy = true;
    let decision: Decision;
    try {
      decision = await this.#options.reserve(head.cost);
    } catch (error) {
      this.#busy = false;
      if (this.#queue.delete(head)) head.fail(error);
      this.#options.moved(this.empty);
      this.#advance();
      return;
    }
    this.#busy = false;
    const now = performance.now();
    if (decision.allowed) {
      this.#slot = { cost: head.cost, at: now + decision.delayMs };
      this.#advance();
    } else if (decision.retryAfterMs === Infinity) {
      const error = new AforoError(
        "ERR_AFORO_COST_ABOVE_LIMIT",
        `a cost of ${head.cost} can never be released: ${decision.explain()}`,
      );
      if (this.#queue.delete(head)) head.fail(error);
      this.#options.moved(this.empty);
      this.#advance();
    } else {
      this.#waitUntil(now + decision.retryAfterMs);
    }
  }

  #waitUntil(at: number): void {
    this.#busy = true;
    const wait = Math.max(at, this.#pausedUntil) - performance.now();
    if (wait <= 0) this.#due();
    else this.#cancelTimer = longTimer(wait, () => this.#due());
  }

  #due(): void {
    this.#busy = false;
    this.#cancelTimer = undefined;
    const head = this.#head();
    const slot = this.#slot;
    if (this.#pausedUntil > performance.now()) {
      if (head !== undefined) this.#waitUntil(this.#pausedUntil);
      return;
    }
    this.#slot = undefined;
    // Nobody waits any more, or the next needs more than the place has: it lapses, so the spacing holds.
    if (head !== undefined && slot !== undefined && slot.cost >= head.cost) {
      this.#queue.delete(head);
      void this.#run(head);
    }
    this.#advance();
  }

  async #run(job: Job): Promise<void> {
    this.#running++;
    this.#options.moved(false);
    await job.start();
    this.#running--;
    this.#options.moved(this.empty);
    this.#advance();
  }

  #head(): Job | undefined {
    return this.#queue.values().next().value;
  }
}
