import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";
import { SegmentDirectory } from "./segment-directory.ts";
import { MOST_POSITIONS, Segment } from "./segment.ts";

/** More bits would need more keys than memory holds; only a broken hash fills a segment at that depth. */
const MOST_BITS = 16;

/** Two segments whose states would fill so little of one are joined. */
const SPARSE = 0.2;

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
 * States by key, in segments that split one at a time. So time for a key does not depend on their number,
 * and nothing is ever rebuilt as a whole. Keys are told apart by their {@link KeyHash}, and not kept.
 */
export class Table {
  readonly width: number;
  readonly lifetime: Lifetime;
  /** Where {@link find} looked, or {@link add} added, last. */
  segment: Segment;
  readonly #occupancy: Occupancy;
  readonly #hash: KeyHash;
  readonly #mostPositions: number;
  #directory: SegmentDirectory;
  #count = 0;

  /** @param width - numbers in a state; 0 where each is an array of its own. */
  constructor(width: number, lifetime: Lifetime, { occupancy, hash, mostPositions = MOST_POSITIONS }: TableParts) {
    this.width = width;
    this.lifetime = lifetime;
    this.#occupancy = occupancy;
    this.#hash = hash;
    this.#mostPositions = mostPositions;
    this.segment = new Segment(width, 0, mostPositions, 1);
    this.#directory = new SegmentDirectory(this.segment);
  }

  /** All of them, in no order. */
  get segments(): readonly Segment[] {
    return this.#directory.segments;
  }

  get count(): number {
    return this.#count;
  }

  /** The position of `key` in {@link segment}, or -1. */
  find(key: string): number {
    const hash = this.#hash;
    const segment = this.#directory.of(hash.of(key));
    this.segment = segment;
    return segment.find(hash);
  }

  /** Whether the state at that position is the one of `key`. */
  isAt(segment: Segment, position: number, key: string): boolean {
    this.#hash.of(key);
    return segment.isAt(position, this.#hash);
  }

  /** A position in {@link segment} for a key that has none. */
  add(key: string): number {
    this.#count++;
    this.#occupancy.states++;
    this.#occupancy.moves++;
    const hash = this.#hash;
    const first = hash.of(key);
    let segment = this.#directory.of(first);
    while (segment.full) {
      if (segment.depth === MOST_BITS) this.#removeAny(segment);
      else this.#directory.split(segment);
      segment = this.#directory.of(first);
    }
    this.segment = segment;
    return segment.add(hash);
  }

  remove(segment: Segment, position: number): void {
    if (this.width === 0) this.#occupancy.logCells -= (segment.logs[position] as Float64Array).length;
    segment.remove(position);
    this.#count--;
    this.#occupancy.states--;
    this.#occupancy.moves++;
    if (this.#count === 0) this.#startOver();
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
    // The same in all segments.
    return this.width === 0 ? 0 : this.segment.baseOf(position);
  }

  /** What {@link Algorithm.write} answered, where each state is an array of its own. */
  keepLog(segment: Segment, position: number, cells: Float64Array): void {
    this.#occupancy.logCells += cells.length - (segment.logs[position] as Float64Array).length;
    segment.logs[position] = cells;
  }

  /** After many removals: makes a segment smaller, or one of two. */
  tidy(segment: Segment): void {
    this.#occupancy.moves++;
    const sibling = this.#directory.siblingOf(segment);
    const fitsOne = sibling !== undefined && segment.count + sibling.count <= SPARSE * this.#mostPositions;
    if (fitsOne) this.#directory.merge(segment, sibling);
    else segment.trim();
  }

  #startOver(): void {
    const [only, another] = this.segments;
    if (another === undefined) return only?.trim();
    this.segment = new Segment(this.width, 0, this.#mostPositions, 1);
    this.#directory = new SegmentDirectory(this.segment);
  }

  #removeAny(segment: Segment): void {
    let position = 0;
    while (segment.isFree(position)) position++;
    this.remove(segment, position);
  }
}
