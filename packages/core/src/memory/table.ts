import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";
import { MOST_POSITIONS, Segment } from "./segment.ts";

/** A longer directory would need more keys than memory holds; beyond, only a broken hash fills a segment. */
const MOST_BITS = 16;

/** What the states of a table are, as far as house-keeping must know. */
export interface Lifetime {
  /** The first ms at which a state reads as never seen. */
  staleAt(cells: Float64Array, base: number): number;
  /** How much of its capacity a state has left, 0 to 1; states without any are never evicted for a new key. */
  roomLeft(cells: Float64Array, base: number, now: number): number;
}

/**
 * States by key, in segments that split one at a time by the leading bits of a hash: time for a key
 * does not depend on their number, and nothing is ever rebuilt as a whole.
 */
export class Table {
  readonly width: number;
  readonly lifetime: Lifetime;
  /** All segments, in no order. */
  readonly segments: Segment[];
  /** Where {@link find} looked, or {@link add} added, last. */
  segment: Segment;
  readonly #occupancy: Occupancy;
  readonly #hash: KeyHash;
  readonly #mostPositions: number;
  /** Segments by the leading bits of a hash; those that share fewer bits stand several times. */
  #directory: Segment[];
  #bits = 0;
  #count = 0;

  /**
   * @param width - numbers in a state; 0 where each is an array of its own.
   * @param occupancy - counts the states of this table too.
   */
  constructor(
    width: number,
    lifetime: Lifetime,
    occupancy: Occupancy,
    hash: KeyHash,
    mostPositions: number = MOST_POSITIONS,
  ) {
    this.width = width;
    this.lifetime = lifetime;
    this.#occupancy = occupancy;
    this.#hash = hash;
    this.#mostPositions = mostPositions;
    this.segment = new Segment(width, 0, mostPositions);
    this.segments = [this.segment];
    this.#directory = [this.segment];
  }

  get count(): number {
    return this.#count;
  }

  /** The position of `key` in {@link segment}, or -1. */
  find(key: string): number {
    const hash = this.#hash.of(key);
    const segment = this.#segmentOf(hash);
    this.segment = segment;
    return segment.find(key, hash);
  }

  /** A position in {@link segment} for a key that has none. */
  add(key: string): number {
    const hash = this.#hash.of(key);
    let segment = this.#segmentOf(hash);
    while (segment.full) {
      if (segment.depth === MOST_BITS) this.#removeAny(segment);
      else this.#split(segment);
      segment = this.#segmentOf(hash);
    }
    this.segment = segment;
    this.#count++;
    this.#occupancy.states++;
    this.#occupancy.moves++;
    return segment.add(key, hash);
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
    return this.width === 0 ? 0 : position * (this.width + 1) + 1;
  }

  /** What {@link Algorithm.write} answered, where each state is an array of its own. */
  keepLog(segment: Segment, position: number, cells: Float64Array): void {
    this.#occupancy.logCells += cells.length - (segment.logs[position] as Float64Array).length;
    segment.logs[position] = cells;
  }

  /** After many removals: makes a segment smaller, or one of two whose states fit into half a segment. */
  tidy(segment: Segment): void {
    const moves = segment.keys.length;
    const sibling = this.#siblingOf(segment);
    if (sibling === undefined || segment.count + sibling.count > this.#mostPositions / 4) {
      segment.trim();
      if (segment.keys.length !== moves) this.#occupancy.moves++;
      return;
    }
    this.#merge(segment, sibling);
    this.#occupancy.moves++;
  }

  #segmentOf(hash: number): Segment {
    return this.#directory[this.#bits === 0 ? 0 : hash >>> (32 - this.#bits)] as Segment;
  }

  #split(segment: Segment): void {
    const prefix = this.#prefixOf(segment);
    const [low, high] = segment.split();
    this.segments[this.segments.indexOf(segment)] = low;
    this.segments.push(high);
    if (low.depth > this.#bits) {
      this.#directory = this.#directory.flatMap((each) => [each, each]);
      this.#bits++;
    }
    this.#enter(low, 2 * prefix);
    this.#enter(high, 2 * prefix + 1);
  }

  #merge(one: Segment, other: Segment): void {
    const prefix = this.#prefixOf(one) >> 1;
    const merged = Segment.merge(one, other);
    this.segments.splice(this.segments.indexOf(other), 1);
    this.segments[this.segments.indexOf(one)] = merged;
    this.#enter(merged, prefix);
    const bits = Math.max(...this.segments.map(({ depth }) => depth));
    const step = 2 ** (this.#bits - bits);
    if (step > 1) this.#directory = this.#directory.filter((_, at) => at % step === 0);
    this.#bits = bits;
  }

  /** The segment that it was split from, if that has not been split again. */
  #siblingOf(segment: Segment): Segment | undefined {
    if (segment.depth === 0) return undefined;
    const sibling = this.#directory[(this.#prefixOf(segment) ^ 1) << (this.#bits - segment.depth)] as Segment;
    return sibling.depth === segment.depth ? sibling : undefined;
  }

  /** The leading bits that the keys of a segment share. */
  #prefixOf(segment: Segment): number {
    return this.#directory.indexOf(segment) >> (this.#bits - segment.depth);
  }

  #enter(segment: Segment, prefix: number): void {
    const repeats = 2 ** (this.#bits - segment.depth);
    this.#directory.fill(segment, prefix * repeats, (prefix + 1) * repeats);
  }

  #removeAny(segment: Segment): void {
    this.remove(
      segment,
      segment.keys.findIndex((key) => key !== undefined),
    );
  }

  #startOver(): void {
    this.segment = new Segment(this.width, 0, this.#mostPositions);
    this.segments.splice(0, Infinity, this.segment);
    this.#directory = [this.segment];
    this.#bits = 0;
  }
}
