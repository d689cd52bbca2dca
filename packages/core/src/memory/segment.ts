import type { KeyHash } from "./key-hash.ts";

/** Positions of a segment at its largest: few enough to split within a millisecond, and homes stay evenly spread. */
export const MOST_POSITIONS = 20_480;

const LEAST_POSITIONS = 8;

/** How full a segment gets before it grows, and how full it is then. */
const FULL = 0.8;
const ROOMY = 0.64;

/** Numbers in front of those of a state: its key, as 128 bits of which the first 32 are 0 where a position is free. */
const FRONT = 2;

const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * Some states of a table: open addressing with linear probing. The bits of the key stand in front of each
 * state's own numbers, so a look-up costs one access to memory, and no text is kept.
 */
export class Segment {
  /** Leading bits of the hash that all keys here share. */
  readonly depth: number;
  cells: Float64Array = NO_CELLS;
  /** By position, where each state is an array of its own. */
  logs: Float64Array[] = [];
  /** How many states there is room for, more or less. */
  positions = 0;
  count = 0;
  readonly #stride: number;
  readonly #mostPositions: number;
  /** The same memory as `cells`. */
  #keys: Int32Array = new Int32Array(0);

  /** @param width - numbers in a state; 0 where each is an array of its own. */
  constructor(width: number, depth: number, mostPositions: number, expected: number = 0) {
    this.#stride = width + FRONT;
    this.depth = depth;
    this.#mostPositions = mostPositions;
    this.#allocate(positionsFor(expected, mostPositions));
  }

  /** Whether it is to be split before anything is added. */
  get full(): boolean {
    return this.positions === this.#mostPositions && this.count >= FULL * this.#mostPositions;
  }

  /** Where in {@link cells} the numbers at a position begin. */
  baseOf(position: number): number {
    return position * this.#stride + FRONT;
  }

  isFree(position: number): boolean {
    return this.#keys[2 * position * this.#stride] === 0;
  }

  /** Whether the state at a position is that of the key that was hashed last. */
  isAt(position: number, hash: KeyHash): boolean {
    const keys = this.#keys;
    const at = 2 * position * this.#stride;
    return (
      keys[at] === hash.first &&
      keys[at + 1] === hash.second &&
      keys[at + 2] === hash.third &&
      keys[at + 3] === hash.fourth
    );
  }

  /** The position of the key that was hashed last, or -1. */
  find(hash: KeyHash): number {
    const { positions } = this;
    for (let at = homeOf(hash.first, positions); ; at = at + 1 === positions ? 0 : at + 1) {
      if (this.isFree(at)) return -1;
      if (this.isAt(at, hash)) return at;
    }
  }

  /** A position for a key that has none, all numbers of its state 0. Others may move. Not for a full segment. */
  add(hash: KeyHash): number {
    this.#makeRoom();
    const position = this.#freeFor(hash.first);
    const keys = this.#keys;
    const at = 2 * position * this.#stride;
    keys[at] = hash.first;
    keys[at + 1] = hash.second;
    keys[at + 2] = hash.third;
    keys[at + 3] = hash.fourth;
    if (this.#stride === FRONT) this.logs[position] = NO_CELLS;
    return position;
  }

  /** Frees a position. Later states move up to close the gap, so there are no graves. */
  remove(position: number): void {
    const { positions, cells } = this;
    const stride = this.#stride;
    let hole = position;
    for (let at = hole; ;) {
      at = at + 1 === positions ? 0 : at + 1;
      const first = this.#firstAt(at);
      if (first === 0) break;
      // How far a state may go back is how far it is from its home.
      if (distance(homeOf(first, positions), at, positions) < distance(hole, at, positions)) continue;
      this.#copy(this, at, hole);
      hole = at;
    }
    for (let cell = hole * stride; cell < (hole + 1) * stride; cell++) cells[cell] = 0;
    if (stride === FRONT) this.logs[hole] = NO_CELLS;
    this.count--;
  }

  /** Moves its states to two: those whose next bit of the hash is 0, and those where it is 1. */
  split(): [Segment, Segment] {
    const halves: [Segment, Segment] = [this.#half(), this.#half()];
    for (let at = 0; at < this.positions; at++) {
      const first = this.#firstAt(at);
      if (first !== 0) halves[(first >>> (31 - this.depth)) & 1 ? 1 : 0].#adopt(this, at);
    }
    this.#clear();
    return halves;
  }

  /** Moves the states of two to one. */
  static merge(one: Segment, other: Segment): Segment {
    const width = one.#stride - FRONT;
    const merged = new Segment(width, one.depth - 1, one.#mostPositions, one.count + other.count);
    for (const half of [one, other]) {
      merged.#adoptAll(half);
      half.#clear();
    }
    return merged;
  }

  /** Gives back room that is not likely to be needed soon. */
  trim(): void {
    const positions = positionsFor(this.count, this.#mostPositions);
    if (2 * positions < this.positions) this.#resize(positions);
  }

  #half(): Segment {
    return new Segment(this.#stride - FRONT, this.depth + 1, this.#mostPositions, this.count / 2);
  }

  #firstAt(position: number): number {
    return this.#keys[2 * position * this.#stride] as number;
  }

  #makeRoom(): void {
    if (this.count + 1 > FULL * this.positions) this.#resize(positionsFor(this.count + 1, this.#mostPositions));
  }

  #resize(positions: number): void {
    const resized = new Segment(this.#stride - FRONT, this.depth, this.#mostPositions);
    resized.#allocate(positions);
    resized.#adoptAll(this);
    this.cells = resized.cells;
    this.logs = resized.logs;
    this.positions = positions;
    this.#keys = resized.#keys;
  }

  #allocate(positions: number): void {
    this.positions = positions;
    this.cells = new Float64Array(positions * this.#stride);
    this.#keys = new Int32Array(this.cells.buffer);
    this.logs = [];
    if (this.#stride === FRONT) this.logs.length = positions;
  }

  #clear(): void {
    this.count = 0;
    this.#allocate(0);
  }

  #adoptAll(from: Segment): void {
    for (let at = 0; at < from.positions; at++) if (!from.isFree(at)) this.#adopt(from, at);
  }

  #adopt(from: Segment, at: number): void {
    this.#makeRoom();
    this.#copy(from, at, this.#freeFor(from.#firstAt(at)));
  }

  /** A free position, as near to its home as can be, which is taken with that. */
  #freeFor(first: number): number {
    const { positions } = this;
    let at = homeOf(first, positions);
    while (!this.isFree(at)) at = at + 1 === positions ? 0 : at + 1;
    this.count++;
    return at;
  }

  #copy(from: Segment, at: number, to: number): void {
    const stride = this.#stride;
    const source = from.#keys;
    const target = this.#keys;
    // As integers, since arbitrary bits may be no number that survives being copied as one.
    for (let half = 0; half < 2 * FRONT; half++)
      target[2 * to * stride + half] = source[2 * at * stride + half] as number;
    for (let cell = FRONT; cell < stride; cell++)
      this.cells[to * stride + cell] = from.cells[at * stride + cell] as number;
    if (stride === FRONT) this.logs[to] = from.logs[at] as Float64Array;
  }
}

/** Where a hash belongs: its low half, scaled. */
function homeOf(first: number, positions: number): number {
  return ((first & 0xffff) * positions) >>> 16;
}

/** Steps from one position on to another. */
function distance(from: number, to: number, positions: number): number {
  return to >= from ? to - from : to - from + positions;
}

function positionsFor(count: number, most: number): number {
  return Math.min(most, Math.max(LEAST_POSITIONS, Math.ceil(count / ROOMY)));
}
