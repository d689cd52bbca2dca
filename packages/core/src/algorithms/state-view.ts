import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { StateView } from "../domain/store.ts";
import { newReading } from "./algorithm.ts";
import { algorithmOf } from "./index.ts";
import * as log from "./log-entries.ts";

/**
 * A state in the plain numbers of `store.inspect`, so that all stores explain alike. The `mark` of
 * gcra, which keeps none, is the ms at which it is full again.
 *
 * @param blockedUntil - epoch ms; one that has passed is no block.
 * @returns `undefined` when nothing counts and no block is in force.
 */
export function viewState(
  policy: ResolvedPolicy,
  cells: Float64Array,
  base: number,
  now: number,
  blockedUntil: number,
): StateView | undefined {
  const reading = newReading();
  algorithmOf(policy.algorithm).read(policy, cells, base, now, reading);
  const { used, start, current, previous } = reading;
  const blocked = { blockedUntil: blockedUntil > now ? blockedUntil : 0 };
  const seen = used > 0 || (policy.algorithm === "sliding-window-counter" && previous > 0);
  if (!seen) return blocked.blockedUntil > 0 ? { used: 0, mark: 0, ...blocked } : undefined;

  switch (policy.algorithm) {
    case "fixed-window":
      return { used, current: used, mark: start, ...blocked };
    case "sliding-window-counter":
      return { used, current, previous, mark: start, ...blocked };
    case "sliding-window-log":
      return { used, entries: log.end(cells) - reading.first, mark: log.mark(cells), ...blocked };
    case "token-bucket":
    case "leaky-bucket":
      return { used: used / policy.window, mark: cells[base] as number, ...blocked };
    case "gcra":
      return {
        used: used / policy.reducedWindow,
        mark: Math.ceil((cells[base] as number) / policy.reducedLimit),
        ...blocked,
      };
  }
}
