export const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * Some states of a table, by position. In front of each state's own numbers stands one that is 0 where
 * the position is free, so the numbers of a position begin at `position * stride + 1`.
 */
export interface Segment {
  /** Leading bits of the hash that all keys here share. */
  readonly depth: number;
  /** Numbers at a position: one in front, and those of the state. */
  readonly stride: number;
  /** By position. */
  readonly keys: readonly (string | undefined)[];
  readonly cells: Float64Array;
  /** By position, where each state is an array of its own. */
  readonly logs: Float64Array[];
  readonly count: number;
  /** Whether it is to be split before anything is added. */
  readonly full: boolean;
  /** Frees a position. Another state may move into it, from a higher position as a rule. */
  remove(position: number): void;
  /** Gives back room that is not likely to be needed soon. */
  trim(): void;
  /** Forgets all states. */
  clear(): void;
}
