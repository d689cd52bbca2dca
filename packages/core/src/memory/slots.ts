/** Numbers in front of those of a state: its key, as 128 bits of which the first 32 are 0 where a position is free. */
export const FRONT = 2;

/** Where the states of a segment are, or were. */
export interface Slots {
  readonly positions: number;
  /** The same memory as `cells`. */
  readonly keys: Int32Array;
  readonly cells: Float64Array;
  readonly logs: Float64Array[];
}

/** The first 32 bits of the key at a position, 0 where it is free. */
export function firstAt(keys: Int32Array, position: number, stride: number): number {
  return keys[2 * position * stride] as number;
}

/** Where a hash belongs: its low half, scaled. */
export function homeOf(first: number, positions: number): number {
  return ((first & 0xffff) * positions) >>> 16;
}

/** Steps from one position on to another. */
export function distance(from: number, to: number, positions: number): number {
  return to >= from ? to - from : to - from + positions;
}
