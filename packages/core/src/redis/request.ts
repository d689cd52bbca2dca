import type { Check } from "../domain/store.ts";
import type { ReplyCursor } from "./reply-cursor.ts";

/** What the batch script can do with the checks of one request. */
export type Verb = "consume" | "raise" | "peek" | "charge" | "refund" | "reset" | "block" | "inspect";

/** One request on its way through a batch; it is decided by one script call, or rejected. */
export interface Request {
  readonly verb: Verb;
  readonly checks: readonly Check[];
  /** The complete key of the first check. */
  readonly key: string;
  /** Those of all others. */
  readonly moreKeys: readonly string[];
  /** What some verbs bring along, in the order in which the script asks for it. */
  readonly extras: readonly number[] | undefined;
  /** `performance.now()` after which nobody waits. */
  readonly deadline: number;
  /**
   * Takes the reports of this request from the reply.
   *
   * @param now - the store's time.
   * @param sentAt - `performance.now()` when the call was sent.
   * @throws whatever makes the reply unreadable; `reject` gets it.
   */
  settle(reply: ReplyCursor, now: number, sentAt: number): void;
  reject(error: unknown): void;
}
