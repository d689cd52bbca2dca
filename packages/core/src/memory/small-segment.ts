import { NO_CELLS, type Segment } from "./segment.ts";

const LEAST_POSITIONS = 8;

/**
 * The states of a small table, packed, and found through a `Map`: the quickest way while its memory is
 * small and its growth is over in no time, and one that needs no hash of our own.
 */
export class SmallSegment implements Segment {
  readonly depth = 0;
  readonly stride: number;
  readonly keys: string[] = [];
  cells: Float64Array = NO_CELLS;
  readonly logs: Float64Array[] = [];
  readonly #positions = new Map<string, number>();
  readonly #most: number;

  /**
   * @param width - numbers in a state; 0 where each is an array of its own.
   * @param most - states that it may hold.
   */
  constructor(width: number, most: number) {
    this.stride = width + 1;
    this.#most = most;
  }

  get count(): number {
    return this.keys.length;
  }

  get full(): boolean {
    return this.keys.length >= this.#most;
  }

  /** The position of `key`, or -1. */
  find(key: string): number {
    return this.#positions.get(key) ?? -1;
  }

  /** A position for a key that has none, all numbers of its state 0. */
  add(key: string): number {
    const { stride } = this;
    const position = this.keys.length;
    if ((position + 1) * stride > this.cells.length) this.#resize(roomFor(position + 1));
    this.cells.fill(0, position * stride + 1, (position + 1) * stride);
    this.cells[position * stride] = 1;
    if (stride === 1) this.logs.push(NO_CELLS);
    this.keys.push(key);
    this.#positions.set(key, position);
    return position;
  }

  /** Moves the last state into the gap. */
  remove(position: number): void {
    const { stride, cells, logs } = this;
    const last = this.keys.length - 1;
    const moved = this.keys[last] as string;
    this.#positions.delete(this.keys[position] as string);
    if (position !== last) {
      this.#positions.set(moved, position);
      this.keys[position] = moved;
      cells.copyWithin(position * stride, last * stride, (last + 1) * stride);
      if (stride === 1) logs[position] = logs[last] as Float64Array;
    }
    cells[last * stride] = 0;
    this.keys.pop();
    if (stride === 1) logs.pop();
  }

  trim(): void {
    const room = roomFor(this.count);
    if (this.cells.length > 3 * room * this.stride) this.#resize(room);
  }

  clear(): void {
    this.keys.length = 0;
    this.logs.length = 0;
    this.cells = NO_CELLS;
    this.#positions.clear();
  }

  /** Takes over the states of another segment. */
  adopt(other: Segment): void {
    for (const [from, key] of other.keys.entries()) {
      if (key === undefined) continue;
      const to = this.add(key);
      for (let cell = 1; cell < this.stride; cell++) {
        this.cells[to * this.stride + cell] = other.cells[from * this.stride + cell] as number;
      }
      if (this.stride === 1) this.logs[to] = other.logs[from] as Float64Array;
    }
    other.clear();
  }

  #resize(positions: number): void {
    const cells = new Float64Array(positions * this.stride);
    cells.set(this.cells.subarray(0, Math.min(this.keys.length, positions) * this.stride));
    this.cells = cells;
  }
}

/** A quarter more: each copy is paid for by the additions before it, and little is left unused. */
function roomFor(count: number): number {
  return Math.max(LEAST_POSITIONS, count + (count >> 2));
}
