import { longTimer } from "../limiter/long-timer.ts";
import type { ResponsePort } from "./response-port.ts";

/** One request's place in the schedule of a leaky bucket. */
export interface Place {
  /** Ms from now until the request may go on. */
  readonly ms: number;
  /** Units that it takes of the schedule. */
  readonly cost: number;
  /** Names the schedule; `undefined` when several hold the request back, so that its place can be nobody else's. */
  readonly lane: string | undefined;
}

interface Held {
  readonly cost: number;
  readonly lane: string | undefined;
  readonly release: (goesOn: boolean) => void;
  /** `performance.now()`; moves up when somebody ahead leaves. */
  due: number;
}

/**
 * Holds back what a leaky bucket admitted for later: a bounded number, in the order of release, on one timer.
 * When a client leaves, its place passes to the next of its lane that fits in it, whose own passes on in turn;
 * the last one lapses. So whoever waits moves up, and the spacing is never broken.
 */
export class DelayQueue {
  readonly #max: number;
  /** By `due`, equal ones in order of arrival. */
  readonly #held: Held[] = [];
  #cancelTimer: (() => void) | undefined;
  #timerDue = Infinity;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many wait. */
  get size(): number {
    return this.#held.length;
  }

  /**
   * @returns `undefined` when the queue is full; else what resolves when it is time to go on, or with `false` as soon
   * as the client has left.
   */
  hold({ ms, cost, lane }: Place, port: ResponsePort): Promise<boolean> | undefined {
    if (this.#held.length >= this.#max) return undefined;
    return new Promise((resolve) => {
      const held: Held = { cost, lane, due: performance.now() + ms, release: resolve };
      this.#insert(held);
      port.onEnd(() => this.#leave(held));
      this.#arm();
    });
  }

  /** At shutdown: whoever waits was admitted and charged, and goes on at once. */
  releaseAll(): void {
    this.#cancelTimer?.();
    this.#timerDue = Infinity;
    for (const { release } of this.#held.splice(0)) release(true);
  }

  #insert(held: Held): void {
    let at = this.#held.length;
    while (at > 0 && (this.#held[at - 1] as Held).due > held.due) at--;
    this.#held.splice(at, 0, held);
  }

  #leave(held: Held): void {
    const index = this.#held.indexOf(held);
    if (index === -1) return;
    this.#held.splice(index, 1);
    held.release(false);
    if (held.lane !== undefined) this.#passOn(held, index);
    this.#arm();
  }

  /** Gives a free place to the first behind it that fits, and so on with that one's own. */
  #passOn(left: Held, from: number): void {
    let { due, cost } = left;
    for (const next of this.#held.slice(from)) {
      if (next.lane !== left.lane || next.cost > cost) continue;
      [due, next.due] = [next.due, due];
      cost = next.cost;
    }
    this.#held.sort((a, b) => a.due - b.due);
  }

  #arm(): void {
    const due = this.#held[0]?.due ?? Infinity;
    if (due === this.#timerDue) return;
    this.#cancelTimer?.();
    this.#timerDue = due;
    this.#cancelTimer = due === Infinity ? undefined : longTimer(due - performance.now(), () => this.#releaseDue());
  }

  #releaseDue(): void {
    this.#timerDue = Infinity;
    const now = performance.now();
    while (this.#held[0] !== undefined && this.#held[0].due <= now) this.#held.shift()?.release(true);
    this.#arm();
  }
}
