import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";

/** States that keys without one of their own share, for each policy. */
const OVERFLOW_STATES = 4_096;

const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * What keys are decided by that a full store has no room for. Which keys share a state nobody can
 * foresee; all of them keep the policy's limits, together.
 */
export class Overflow {
  #staleAt = 0;
  readonly #width: number;
  readonly #occupancy: Occupancy;
  readonly #hash: KeyHash;
  readonly #cells: Float64Array;
  readonly #logs: Float64Array[];

  /**
   * @param width - numbers in a state; 0 where each is an array of its own.
   * @param occupancy - counts the logs; states here are not counted.
   */
  constructor(width: number, occupancy: Occupancy, hash: KeyHash) {
    this.#width = width;
    this.#occupancy = occupancy;
    this.#hash = hash;
    this.#cells = new Float64Array(width * OVERFLOW_STATES);
    this.#logs = width === 0 ? Array.from({ length: OVERFLOW_STATES }, () => NO_CELLS) : [];
  }

  /** The first ms at which all of it reads as never seen. */
  get staleAt(): number {
    return this.#staleAt;
  }

  /** Notes that one of the states is stale then. */
  note(staleAt: number): void {
    this.#staleAt = Math.max(this.#staleAt, staleAt);
  }

  positionOf(key: string): number {
    return this.#hash.of(key) & (OVERFLOW_STATES - 1);
  }

  cellsAt(position: number): Float64Array {
    return this.#width === 0 ? (this.#logs[position] as Float64Array) : this.#cells;
  }

  baseOf(position: number): number {
    return position * this.#width;
  }

  keepLog(position: number, cells: Float64Array): void {
    this.#occupancy.logCells += cells.length - (this.#logs[position] as Float64Array).length;
    this.#logs[position] = cells;
  }

  /** Forgets everything. */
  clear(): void {
    for (let position = 0; position < this.#logs.length; position++) this.keepLog(position, NO_CELLS);
    this.#cells.fill(0);
    this.#staleAt = 0;
  }
}
