import type { KeyHash } from "./key-hash.ts";
import { FRONT, distance, firstAt, homeOf, type Slots } from "./slots.ts";

/** Positions of a segment at its largest: few enough to split within a millisecond, and homes stay evenly spread. */
export const MOST_POSITIONS = 20_480;

const LEAST_POSITIONS = 8;

/**
 * How full a segment gets before it grows, at the least and at the most, and how full it is then. Each has a bound of its
 * own: filled evenly by their hashes, all would grow in the same turns of the event loop.
 */
const LEAST_FULL = 0.72;
const MOST_FULL = 0.85;
const ROOMY = 0.64;

/** The fractions of its multiples are spread as evenly as can be, however many there are. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * Some states of a table: open addressing with linear probing. The bits of the key stand in front of each
 * state's own numbers, so a look-up costs one access to memory, and no text is kept.
 */
export class Segment implements Slots {
  /** Leading bits of the hash that all keys here share. */
  readonly depth: number;
  cells: Float64Array = NO_CELLS;
  keys: Int32Array = new Int32Array(0);
  /** By position, where each state is an array of its own. */
  logs: Float64Array[] = [];
  /** How many states there is room for, more or less. */
  positions = 0;
  count = 0;
  readonly #stride: number;
  readonly #mostPositions: number;
  readonly #fullAt: number;

  /**
   * @param width - numbers in a state; 0 where each is an array of its own.
   * @param ordinal - of this segment among those that its table made; spreads the moments at which they grow.
   */
  constructor(width: number, depth: number, mostPositions: number, ordinal: number, expected: number = 0) {
    this.#fullAt = LEAST_FULL + (MOST_FULL - LEAST_FULL) * ((ordinal * GOLDEN_RATIO) % 1);
    this.#stride = width + FRONT;
    this.depth = depth;
    this.#mostPositions = mostPositions;
    this.#allocate(positionsFor(expected, mostPositions));
  }

  /** Whether it is to be split before anything is added. */
  get full(): boolean {
    return this.positions === this.#mostPositions && this.#isCrowded;
  }

  /** Where in {@link cells} the numbers at a position begin. */
  baseOf(position: number): number {
    return position * this.#stride + FRONT;
  }

  isFree(position: number): boolean {
    return this.keys[2 * position * this.#stride] === 0;
  }

  /** Whether the state at a position is that of the key that was hashed last. */
  isAt(position: number, hash: KeyHash): boolean {
    const keys = this.keys;
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
    const keys = this.keys;
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
      const first = firstAt(this.keys, at, stride);
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

  /**
   * Moves its states to two: those whose next bit of the hash is 0, and those where it is 1.
   * @param ordinal - of the first of them.
   */
  split(ordinal: number): [Segment, Segment] {
    const halves: [Segment, Segment] = [this.#half(ordinal), this.#half(ordinal + 1)];
    for (let at = 0; at < this.positions; at++) {
      const first = firstAt(this.keys, at, this.#stride);
      if (first !== 0) halves[(first >>> (31 - this.depth)) & 1 ? 1 : 0].#adopt(this, at);
    }
    this.#clear();
    return halves;
  }

  /** Moves the states of two to one. */
  static merge(one: Segment, other: Segment, ordinal: number): Segment {
    const width = one.#stride - FRONT;
    const merged = new Segment(width, one.depth - 1, one.#mostPositions, ordinal, one.count + other.count);
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

  get #isCrowded(): boolean {
    return this.count + 1 > this.#fullAt * this.positions;
  }

  #half(ordinal: number): Segment {
    return new Segment(this.#stride - FRONT, this.depth + 1, this.#mostPositions, ordinal, this.count / 2);
  }

  #makeRoom(): void {
    if (this.#isCrowded && this.positions < this.#mostPositions)
      this.#resize(positionsFor(this.count + 1, this.#mostPositions));
  }

  #resize(positions: number): void {
    const before: Slots = { positions: this.positions, keys: this.keys, cells: this.cells, logs: this.logs };
    this.#allocate(positions);
    this.count = 0;
    this.#adoptAll(before);
  }

  #allocate(positions: number): void {
    // Before anything is changed: there may be no memory left.
    const cells = new Float64Array(positions * this.#stride);
    this.positions = positions;
    this.cells = cells;
    this.keys = new Int32Array(cells.buffer);
    this.logs = [];
    if (this.#stride === FRONT) this.logs.length = positions;
  }

  #clear(): void {
    this.count = 0;
    this.#allocate(0);
  }

  #adoptAll(from: Slots): void {
    for (let at = 0; at < from.positions; at++) if (firstAt(from.keys, at, this.#stride) !== 0) this.#adopt(from, at);
  }

  #adopt(from: Slots, at: number): void {
    this.#makeRoom();
    this.#copy(from, at, this.#freeFor(firstAt(from.keys, at, this.#stride)));
  }

  /** A free position, as near to its home as can be, which is taken with that. */
  #freeFor(first: number): number {
    const { positions } = this;
    let at = homeOf(first, positions);
    while (!this.isFree(at)) at = at + 1 === positions ? 0 : at + 1;
    this.count++;
    return at;
  }

  #copy(from: Slots, at: number, to: number): void {
    const stride = this.#stride;
    const source = from.keys;
    const target = this.keys;
    // As integers, since arbitrary bits may be no number that survives being copied as one.
    for (let half = 0; half < 2 * FRONT; half++)
      target[2 * to * stride + half] = source[2 * at * stride + half] as number;
    for (let cell = FRONT; cell < stride; cell++)
      this.cells[to * stride + cell] = from.cells[at * stride + cell] as number;
    if (stride === FRONT) this.logs[to] = from.logs[at] as Float64Array;
  }
}

function positionsFor(count: number, most: number): number {
  return Math.min(most, Math.max(LEAST_POSITIONS, Math.ceil(count / ROOMY)));
}
