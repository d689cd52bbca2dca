import { newReading, type Reading } from "../algorithms/algorithm.ts";
import type { Check } from "../domain/store.ts";
import type { Segment } from "./segment.ts";
import type { Space } from "./space.ts";

/** One check while it is decided. */
export interface Probe {
  readonly check: Check;
  readonly space: Space;
  /** Taken of `cells`; a charge changes it. */
  readonly reading: Reading;
  readonly blockedMs: number;
  /** Whether this policy alone admits. */
  readonly fits: boolean;
  /** Whether the state is one of the overflow. */
  readonly shared: boolean;
  /** Where the state is while {@link Occupancy.moves} stays as it is; a position of -1 is still to be made. */
  segment: Segment;
  position: number;
  moves: number;
  cells: Float64Array;
  base: number;
}

/**
 * The last of the earlier probes that would charge the same state, if any.
 *
 * @param position - in the overflow, which several keys share; -1 for a state of the key's own.
 */
export function twinOf(earlier: readonly Probe[], space: Space, key: string, position: number): Probe | undefined {
  for (let at = earlier.length - 1; at >= 0; at--) {
    const probe = earlier[at] as Probe;
    if (probe.space !== space || !probe.fits || probe.check.cost === 0) continue;
    if (position < 0 ? !probe.shared && probe.check.stateKey === key : probe.shared && probe.position === position)
      return probe;
  }
  return undefined;
}

/** What the cells of a probe would be were it charged, as a copy; so a second check sees the first. */
export function chargedCopy({ check, space, cells, base, reading }: Probe): Float64Array {
  const { algorithm } = space;
  const copy = cells.slice(base, base + (algorithm.width === 0 ? cells.length : algorithm.width));
  const charged = newReading();
  algorithm.read(check.policy, copy, 0, reading.now, charged);
  algorithm.take(check.policy, charged, check.cost);
  return algorithm.write(check.policy, charged, copy, 0);
}
