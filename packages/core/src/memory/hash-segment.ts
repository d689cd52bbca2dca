import type { KeyHash } from "./key-hash.ts";
import { NO_CELLS, type Segment } from "./segment.ts";
import type { SmallSegment } from "./small-segment.ts";

/** Positions of a segment at its largest: few enough to split within a millisecond, and homes stay evenly spread. */
export const MOST_POSITIONS = 20_480;

const LEAST_POSITIONS = 8;

/** How full a segment gets before it grows, and how full it is then. */
const FULL = 0.8;
const ROOMY = 0.64;

/**
 * One of the segments of a large table: open addressing with linear probing. The hash stands in front of
 * each state's own numbers, so a look-up costs one access to memory for both, and another for the key.
 */
export class HashSegment implements Segment {
  readonly depth: number;
  readonly stride: number;
  keys: (string | undefined)[] = [];
  cells: Float64Array = NO_CELLS;
  logs: Float64Array[] = [];
  readonly #mostPositions: number;
  #count = 0;

  /** @param width - numbers in a state; 0 where each is an array of its own. */
  constructor(width: number, depth: number, mostPositions: number, expected: number = 0) {
    this.stride = width + 1;
    this.depth = depth;
    this.#mostPositions = mostPositions;
    this.#resize(positionsFor(expected, mostPositions));
  }

  get count(): number {
    return this.#count;
  }

  get full(): boolean {
    return this.keys.length === this.#mostPositions && this.#count >= FULL * this.#mostPositions;
  }

  /** The position of `key`, or -1. */
  find(key: string, hash: number): number {
    const { cells, keys, stride } = this;
    const positions = keys.length;
    for (let at = homeOf(hash, positions); ; at = at + 1 === positions ? 0 : at + 1) {
      const found = cells[at * stride];
      if (found === 0) return -1;
      if (found === hash && keys[at] === key) return at;
    }
  }

  /** A position for a key that has none, all numbers of its state 0. Others may move. Not for a full segment. */
  add(key: string, hash: number): number {
    if (this.#count + 1 > FULL * this.keys.length) this.#resize(positionsFor(this.#count + 1, this.#mostPositions));
    const at = this.#place(key, hash);
    if (this.stride === 1) this.logs[at] = NO_CELLS;
    return at;
  }

  /** Later states move up to close the gap, so there are no graves. */
  remove(position: number): void {
    const { cells, stride } = this;
    const positions = this.keys.length;
    let hole = position;
    for (let at = hole; ;) {
      at = at + 1 === positions ? 0 : at + 1;
      const hash = cells[at * stride] as number;
      if (hash === 0) break;
      // How far a state may go back is how far it is from its home.
      if (distance(homeOf(hash, positions), at, positions) < distance(hole, at, positions)) continue;
      this.#copy(this, at, hole);
      hole = at;
    }
    for (let cell = hole * stride; cell < (hole + 1) * stride; cell++) cells[cell] = 0;
    this.keys[hole] = undefined;
    if (stride === 1) this.logs[hole] = NO_CELLS;
    this.#count--;
  }

  /** Moves its states to two: those whose next bit of the hash is 0, and those where it is 1. */
  split(): [HashSegment, HashSegment] {
    const halves: [HashSegment, HashSegment] = [this.#half(), this.#half()];
    for (let at = 0; at < this.keys.length; at++) {
      const hash = this.cells[at * this.stride] as number;
      if (hash !== 0) halves[(hash >>> (31 - this.depth)) & 1 ? 1 : 0].#adopt(this, at);
    }
    this.clear();
    return halves;
  }

  /** Moves the states of two to one. */
  static merge(one: HashSegment, other: HashSegment): HashSegment {
    const count = one.#count + other.#count;
    const merged = new HashSegment(one.stride - 1, one.depth - 1, one.#mostPositions, count);
    for (const half of [one, other]) {
      for (let at = 0; at < half.keys.length; at++) if (half.cells[at * half.stride] !== 0) merged.#adopt(half, at);
      half.clear();
    }
    return merged;
  }

  trim(): void {
    const positions = positionsFor(this.#count, this.#mostPositions);
    if (2 * positions < this.keys.length) this.#resize(positions);
  }

  clear(): void {
    this.#count = 0;
    this.#allocate(0);
  }

  /** Takes over the states of a small segment; `hash` tells where they belong. */
  static from(small: SmallSegment, hash: KeyHash, mostPositions: number): HashSegment {
    const { keys, cells, logs, stride } = small;
    const segment = new HashSegment(stride - 1, 0, mostPositions, keys.length);
    for (let at = 0; at < keys.length; at++) cells[at * stride] = hash.of(keys[at] as string);
    for (let at = 0; at < keys.length; at++) segment.#adopt({ keys, cells, logs }, at);
    small.clear();
    return segment;
  }

  #half(): HashSegment {
    return new HashSegment(this.stride - 1, this.depth + 1, this.#mostPositions, this.#count / 2);
  }

  #resize(positions: number): void {
    const { keys, cells, logs, stride } = this;
    this.#count = 0;
    this.#allocate(positions);
    for (let at = 0; at < keys.length; at++) if (cells[at * stride] !== 0) this.#adopt({ keys, cells, logs }, at);
  }

  #allocate(positions: number): void {
    this.keys = [];
    this.keys.length = positions;
    this.cells = new Float64Array(positions * this.stride);
    this.logs = [];
    if (this.stride === 1) this.logs.length = positions;
  }

  #adopt(from: Pick<HashSegment, "keys" | "cells" | "logs">, at: number): void {
    const hash = from.cells[at * this.stride] as number;
    if (this.#count + 1 > FULL * this.keys.length) this.#resize(positionsFor(this.#count + 1, this.#mostPositions));
    this.#copy(from, at, this.#place(from.keys[at] as string, hash));
  }

  #place(key: string, hash: number): number {
    const { cells, stride } = this;
    const positions = this.keys.length;
    let at = homeOf(hash, positions);
    while (cells[at * stride] !== 0) at = at + 1 === positions ? 0 : at + 1;
    cells[at * stride] = hash;
    this.keys[at] = key;
    this.#count++;
    return at;
  }

  #copy(from: Pick<HashSegment, "keys" | "cells" | "logs">, at: number, to: number): void {
    const { stride } = this;
    this.keys[to] = from.keys[at];
    for (let cell = 0; cell < stride; cell++) this.cells[to * stride + cell] = from.cells[at * stride + cell] as number;
    if (stride === 1) this.logs[to] = from.logs[at] as Float64Array;
  }
}

/** Where a hash belongs: its low half, scaled. */
function homeOf(hash: number, positions: number): number {
  return ((hash & 0xffff) * positions) >>> 16;
}

/** Steps from one position on to another. */
function distance(from: number, to: number, positions: number): number {
  return to >= from ? to - from : to - from + positions;
}

function positionsFor(count: number, most: number): number {
  return Math.min(most, Math.max(LEAST_POSITIONS, Math.ceil(count / ROOMY)));
}
