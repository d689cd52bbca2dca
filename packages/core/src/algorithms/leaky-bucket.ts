import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Algorithm, Reading } from "./algorithm.ts";
import { bucket } from "./bucket.ts";

/**
 * Admits as the token bucket does, and tells what it admits to wait until all that stands ahead of it,
 * beyond `delayAfter` units, has drained: what goes on goes on at an even rate.
 *
 * Twin of `redis/leaky-bucket.lua`.
 */
export const leakyBucket: Algorithm = Object.freeze({
  ...bucket,

  delayMs(policy: ResolvedPolicy, reading: Reading): number {
    const surplus = reading.used - policy.delayAfter * policy.window;
    return surplus > 0 ? Math.ceil(surplus / policy.limit) : 0;
  },
});
