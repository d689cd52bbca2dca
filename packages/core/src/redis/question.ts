import { newReading, type Reading } from "../algorithms/algorithm.ts";
import { algorithmOf } from "../algorithms/index.ts";
import { append } from "../algorithms/log-entries.ts";
import { report } from "../algorithms/report.ts";
import { startOfWindow } from "../algorithms/window.ts";
import type { PolicyDecision } from "../domain/decision.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Check } from "../domain/store.ts";
import { MARKS, type ReplyCursor } from "./reply-cursor.ts";

const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * One check as the script reported it: the numbers of the state before anything was charged. Every
 * figure of the answer is derived from them by the pure algorithms, so it is theirs to the bit.
 */
export class Question {
  readonly #scratch = new Float64Array(3);
  readonly #reading: Reading = newReading();
  #cells: Float64Array = this.#scratch;
  #blockedMs = 0;
  /** Why the key could not be read. */
  failure: string | undefined;
  /** Whether this policy alone admits. */
  fits = false;

  read({ policy, cost }: Check, reply: ReplyCursor, now: number): void {
    this.failure = reply.failure();
    if (this.failure === undefined) {
      const ahead = reply.marked(MARKS.ahead);
      this.#blockedMs = reply.marked(MARKS.blocked);
      this.#cells = readCells(policy, cost, reply, now, ahead, this.#scratch);
    } else {
      this.#blockedMs = 0;
      this.#cells = policy.algorithm === "sliding-window-log" ? NO_CELLS : this.#scratch.fill(0);
    }
    const algorithm = algorithmOf(policy.algorithm);
    algorithm.read(policy, this.#cells, 0, now, this.#reading);
    this.fits = this.#blockedMs === 0 && (cost === 0 || algorithm.admits(policy, this.#reading, cost));
  }

  /** Names what a charge of this check was, before {@link decision}. */
  receipt({ policy }: Check): number {
    return algorithmOf(policy.algorithm).receipt(this.#reading);
  }

  /** What the policy says; `charged` where the whole request was. */
  decision({ policy, cost }: Check, charged: boolean): PolicyDecision {
    const algorithm = algorithmOf(policy.algorithm);
    const reading = this.#reading;
    let delayMs = 0;
    let receipt: number | undefined;
    if (charged && cost > 0 && this.failure === undefined) {
      delayMs = algorithm.delayMs(policy, reading, cost);
      algorithm.take(policy, reading, cost);
      this.#cells = algorithm.write(policy, reading, this.#cells, 0);
      receipt = algorithm.receipt(reading);
    }
    return report(algorithm, policy, cost, reading, this.#cells, 0, this.fits, this.#blockedMs, delayMs, receipt);
  }
}

/** Cells that read as the state did: `report` of each algorithm's `.lua`, backwards. */
function readCells(
  policy: ResolvedPolicy,
  cost: number,
  reply: ReplyCursor,
  now: number,
  ahead: number,
  scratch: Float64Array,
): Float64Array {
  const previous = reply.marked(MARKS.previous);
  const used = reply.number();
  switch (policy.algorithm) {
    case "fixed-window":
      scratch[0] = ahead > 0 ? now + ahead : startOfWindow(now, policy.window);
      scratch[1] = used;
      return scratch;
    case "sliding-window-counter":
      scratch[0] = ahead > 0 ? now + ahead : startOfWindow(now, policy.window);
      scratch[1] = used;
      scratch[2] = previous;
      return scratch;
    case "token-bucket":
    case "leaky-bucket":
      scratch[0] = now + ahead;
      scratch[1] = used;
      return scratch;
    case "gcra":
      scratch[0] = now * policy.reducedLimit + used;
      return scratch;
    case "sliding-window-log":
      return readLog(policy, cost, used, reply, now + ahead);
  }
}

/** The shortest log that answers alike: the units that must go before `cost` is admitted, and all others with the newest. */
function readLog(policy: ResolvedPolicy, cost: number, used: number, reply: ReplyCursor, time: number): Float64Array {
  if (used === 0) return NO_CELLS;
  const newest = time - reply.number();
  const surplus = used + cost - policy.limit;
  const denied = cost > 0 && cost <= policy.limit && surplus > 0;
  const older = denied ? append(NO_CELLS, 0, time - reply.number(), surplus) : NO_CELLS;
  return append(older, 0, newest, used);
}
