import type { GiveUpReason } from "./retry/events.ts";

/** What it took to get a response. */
export interface FetchOutcome {
  /** Requests that were sent, 1 or more. */
  readonly attempts: number;
  /** Why a failed response was not tried again; `undefined` for any other response. */
  readonly gaveUp: GiveUpReason | undefined;
  /** The wait that would have been needed, in milliseconds, where that was the reason. */
  readonly waitMs: number | undefined;
}
