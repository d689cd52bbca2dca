import type { ResolvedPolicy } from "../domain/resolved-policy.ts";

/**
 * How long a key outlives its last write, in ms, where no block is longer: twice the window for
 * fixed-window, three times for the two sliding windows, four times the longer of window and time to
 * fill for the buckets and gcra; and never below a second. That covers what a state can matter for, a
 * mark that is ahead by a whole span and a bucket that owes a whole capacity included.
 *
 * Expiry only collects garbage: a state that outlives its meaning reads as absent by arithmetic.
 */
export function lifetimeMs(policy: ResolvedPolicy): number {
  return Math.max(1_000, lifeOf(policy));
}

function lifeOf({ algorithm, window, span }: ResolvedPolicy): number {
  switch (algorithm) {
    case "fixed-window":
      return 2 * window;
    case "sliding-window-log":
    case "sliding-window-counter":
      return 3 * window;
    default:
      return 4 * Math.max(span, window);
  }
}

/** An injected clock may stand still while the server's, by which keys expire, goes on. */
export const INJECTED_CLOCK_FLOOR_MS = 60_000;
