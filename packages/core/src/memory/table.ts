import { HashSegment, MOST_POSITIONS } from "./hash-segment.ts";
import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";
import { SegmentDirectory } from "./segment-directory.ts";
import type { Segment } from "./segment.ts";
import { SmallSegment } from "./small-segment.ts";

/** More bits would need more keys than memory holds; only a broken hash fills a segment at that depth. */
const MOST_BITS = 16;

/** What the states of a table are, as far as house-keeping must know. */
export interface Lifetime {
  /** The first ms at which a state reads as never seen. */
  staleAt(cells: Float64Array, base: number): number;
  /** How much of its capacity a state has left, 0 to 1; states without any are never evicted for a new key. */
  roomLeft(cells: Float64Array, base: number, now: number): number;
}

/** What tables of one store share. */
export interface TableParts {
  /** Counts the states of all tables. */
  readonly occupancy: Occupancy;
  readonly hash: KeyHash;
  /** Positions of a segment at its largest. */
  readonly mostPositions?: number;
}

/**
 * States by key. A small table is one segment; a large one is many, which split one at a time. So time for
 * a key does not depend on their number, and nothing is ever rebuilt as a whole.
 */
export class Table {
  readonly width: number;
  readonly lifetime: Lifetime;
  /** All of them, in no order. */
  segments: readonly Segment[];
  /** Where {@link find} looked, or {@link add} added, last. */
  segment: Segment;
  readonly #occupancy: Occupancy;
  readonly #hash: KeyHash;
  readonly #mostPositions: number;
  /** Either this or the directory. */
  #small: SmallSegment | undefined;
  #directory: SegmentDirectory | undefined;
  #count = 0;

  /** @param width - numbers in a state; 0 where each is an array of its own. */
  constructor(width: number, lifetime: Lifetime, { occupancy, hash, mostPositions = MOST_POSITIONS }: TableParts) {
    this.width = width;
    this.lifetime = lifetime;
    this.#occupancy = occupancy;
    this.#hash = hash;
    this.#mostPositions = mostPositions;
    this.#small = new SmallSegment(width, this.#smallCapacity);
    this.segment = this.#small;
    this.segments = [this.#small];
  }

  get count(): number {
    return this.#count;
  }

  /** The position of `key` in {@link segment}, or -1. */
  find(key: string): number {
    if (this.#small !== undefined) return this.#small.find(key);
    const hash = this.#hash.of(key);
    const segment = (this.#directory as SegmentDirectory).of(hash);
    this.segment = segment;
    return segment.find(key, hash);
  }

  /** A position in {@link segment} for a key that has none. */
  add(key: string): number {
    this.#count++;
    this.#occupancy.states++;
    this.#occupancy.moves++;
    if (this.#small?.full === true) this.#enlarge(this.#small);
    if (this.#small !== undefined) return this.#small.add(key);

    const hash = this.#hash.of(key);
    const directory = this.#directory as SegmentDirectory;
    let segment = directory.of(hash);
    while (segment.full) {
      if (segment.depth === MOST_BITS) this.#removeAny(segment);
      else directory.split(segment);
      segment = directory.of(hash);
    }
    this.segment = segment;
    return segment.add(key, hash);
  }

  remove(segment: Segment, position: number): void {
    if (this.width === 0) this.#occupancy.logCells -= (segment.logs[position] as Float64Array).length;
    segment.remove(position);
    this.#count--;
    this.#occupancy.states--;
    this.#occupancy.moves++;
    if (this.#count === 0) this.#reduce();
  }

  delete(key: string): void {
    const position = this.find(key);
    if (position >= 0) this.remove(this.segment, position);
  }

  /** The numbers that hold a state, from {@link baseOf} on. */
  cellsAt(segment: Segment, position: number): Float64Array {
    return this.width === 0 ? (segment.logs[position] as Float64Array) : segment.cells;
  }

  baseOf(position: number): number {
    return this.width === 0 ? 0 : position * (this.width + 1) + 1;
  }

  /** What {@link Algorithm.write} answered, where each state is an array of its own. */
  keepLog(segment: Segment, position: number, cells: Float64Array): void {
    this.#occupancy.logCells += cells.length - (segment.logs[position] as Float64Array).length;
    segment.logs[position] = cells;
  }

  /** After many removals: makes a segment smaller, or one of two, or the table one of a single segment. */
  tidy(segment: Segment): void {
    this.#occupancy.moves++;
    if (this.#directory === undefined) {
      segment.trim();
    } else if (this.#count <= this.#smallCapacity / 4) {
      this.#reduce();
    } else {
      const sibling = this.#directory.siblingOf(segment as HashSegment);
      const fitsOne = sibling !== undefined && segment.count + sibling.count <= this.#smallCapacity / 4;
      if (fitsOne) this.#directory.merge(segment as HashSegment, sibling);
      else segment.trim();
    }
  }

  get #smallCapacity(): number {
    return Math.floor(0.8 * this.#mostPositions);
  }

  #enlarge(small: SmallSegment): void {
    const only = HashSegment.from(small, this.#hash, this.#mostPositions);
    this.#small = undefined;
    this.#directory = new SegmentDirectory(only);
    this.segment = only;
    this.segments = this.#directory.segments;
  }

  #reduce(): void {
    const small = new SmallSegment(this.width, this.#smallCapacity);
    for (const segment of this.segments) small.adopt(segment);
    this.#small = small;
    this.#directory = undefined;
    this.segment = small;
    this.segments = [small];
  }

  #removeAny(segment: HashSegment): void {
    this.remove(
      segment,
      segment.keys.findIndex((key) => key !== undefined),
    );
  }
}
