import { grownBy, HashIndex } from "./hash-index.ts";
import type { KeyHash } from "./key-hash.ts";

const NO_CELLS: Float64Array = new Float64Array(0);

/**
 * Up to `capacity` states, packed: slots 0 to `count - 1` are in use, and the last state moves into
 * the slot of one that is removed. A table's only segment finds slots by a `Map`, which is quickest
 * while small; the segments of a larger table by hash, which they need anyway to find the segment.
 */
export class Segment {
  /** Leading bits of the hash that all keys here share; 0 for a table's only segment. */
  depth = 0;
  /** By slot. */
  keys: string[] = [];
  /** `width` numbers for each slot. */
  cells: Float64Array = NO_CELLS;
  /** By slot, where each state is an array of its own. */
  logs: Float64Array[] = [];
  readonly #width: number;
  readonly #capacity: number;
  readonly #hash: KeyHash;
  #byKey: Map<string, number> | undefined = new Map();
  #byHash: HashIndex | undefined;

  /**
   * @param width - numbers in a state; 0 where each is an array of its own.
   * @param capacity - a power of two.
   */
  constructor(width: number, capacity: number, hash: KeyHash) {
    this.#width = width;
    this.#capacity = capacity;
    this.#hash = hash;
  }

  get count(): number {
    return this.keys.length;
  }

  get full(): boolean {
    return this.keys.length === this.#capacity;
  }

  /** The slot of `key`, or -1. */
  find(key: string): number {
    return this.#byKey?.get(key) ?? -1;
  }

  /** As {@link find}, in a segment of several. */
  findByHash(key: string, hash: number): number {
    return (this.#byHash as HashIndex).find(key, hash, this.keys);
  }

  /** A new slot for a key that has none, its numbers all 0. Not for a full segment. */
  add(key: string): number {
    const slot = this.keys.length;
    this.keys.push(key);
    if (this.#width === 0) this.logs.push(NO_CELLS);
    else this.#clear(slot);
    if (this.#byHash === undefined) this.#byKey?.set(key, slot);
    else this.#byHash.add(this.#hash(key), slot);
    return slot;
  }

  remove(slot: number): void {
    const last = this.keys.length - 1;
    const key = this.keys[slot] as string;
    const moved = this.keys[last] as string;
    this.#byKey?.delete(key);
    this.#byHash?.remove(slot);
    if (slot !== last) {
      this.keys[slot] = moved;
      this.#moveCells(last, slot);
      this.#byKey?.set(moved, slot);
      this.#byHash?.move(last, slot);
    }
    this.keys.pop();
    if (this.#width === 0) this.logs.pop();
  }

  hashAt(slot: number): number {
    return this.#byHash === undefined ? this.#hash(this.keys[slot] as string) : this.#byHash.hashAt(slot);
  }

  /** Moves the states whose next bit of the hash is 1 to a new segment, and finds the others by hash as well. */
  split(): Segment {
    const sibling = this.#sibling();
    const kept = this.#sibling();
    for (let slot = 0; slot < this.count; slot++) {
      const hash = this.hashAt(slot);
      (((hash >>> (31 - this.depth)) & 1) === 0 ? kept : sibling).#adopt(this, slot, hash);
    }
    this.#become(kept);
    return sibling;
  }

  /** Takes all states of its sibling, which is empty from then on; what becomes a table's only segment finds them by key. */
  merge(sibling: Segment): void {
    for (let slot = 0; slot < sibling.count; slot++) this.#adopt(sibling, slot, sibling.hashAt(slot));
    this.depth--;
    if (this.depth === 0) {
      this.#byHash = undefined;
      this.#byKey = new Map(this.keys.map((key, slot) => [key, slot]));
    }
    sibling.#become(new Segment(this.#width, this.#capacity, this.#hash));
  }

  /** Gives back room that is not likely to be needed soon. */
  trim(): void {
    const wanted = grownBy(this.count) * this.#width;
    if (this.cells.length > 2 * wanted) this.cells = this.cells.slice(0, wanted);
  }

  #sibling(): Segment {
    const sibling = new Segment(this.#width, this.#capacity, this.#hash);
    sibling.depth = this.depth + 1;
    sibling.#byKey = undefined;
    sibling.#byHash = new HashIndex(this.#capacity);
    return sibling;
  }

  #become(other: Segment): void {
    this.depth = other.depth;
    this.keys = other.keys;
    this.cells = other.cells;
    this.logs = other.logs;
    this.#byKey = other.#byKey;
    this.#byHash = other.#byHash;
  }

  #adopt(from: Segment, slot: number, hash: number): void {
    const to = this.keys.length;
    const width = this.#width;
    this.keys.push(from.keys[slot] as string);
    (this.#byHash as HashIndex).add(hash, to);
    if (width === 0) {
      this.logs.push(from.logs[slot] as Float64Array);
      return;
    }
    this.#makeRoom(to);
    copyCells(from.cells, slot * width, this.cells, to * width, width);
  }

  #clear(slot: number): void {
    this.#makeRoom(slot);
    const base = slot * this.#width;
    for (let cell = base; cell < base + this.#width; cell++) this.cells[cell] = 0;
  }

  #makeRoom(slot: number): void {
    if ((slot + 1) * this.#width <= this.cells.length) return;
    const grown = new Float64Array(Math.min(this.#capacity, grownBy(slot)) * this.#width);
    grown.set(this.cells);
    this.cells = grown;
  }

  #moveCells(from: number, to: number): void {
    if (this.#width === 0) this.logs[to] = this.logs[from] as Float64Array;
    else copyCells(this.cells, from * this.#width, this.cells, to * this.#width, this.#width);
  }
}

/** For so few numbers a loop is quicker than the methods of arrays. */
function copyCells(from: Float64Array, base: number, to: Float64Array, toBase: number, width: number): void {
  for (let cell = 0; cell < width; cell++) to[toBase + cell] = from[base + cell] as number;
}
