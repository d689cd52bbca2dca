import { MOST_SLOTS } from "./hash-index.ts";
import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";
import { Segment } from "./segment.ts";

/** States in a segment: few enough to split within half a millisecond. */
export const SEGMENT_CAPACITY: number = 2 ** 14;

/** A directory longer than this would need more keys than memory holds. */
const MOST_BITS = 17;

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
  readonly #capacity: number;
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
    capacity: number = SEGMENT_CAPACITY,
  ) {
    this.width = width;
    this.lifetime = lifetime;
    this.#occupancy = occupancy;
    this.#hash = hash;
    this.#capacity = Math.min(capacity, MOST_SLOTS);
    this.segment = new Segment(width, this.#capacity, hash);
    this.segments = [this.segment];
    this.#directory = [this.segment];
  }

  get count(): number {
    return this.#count;
  }

  /** The slot of `key` in {@link segment}, or -1. */
  find(key: string): number {
    if (this.#bits === 0) return this.segment.find(key);
    const hash = this.#hash(key);
    this.segment = this.#directory[hash >>> (32 - this.#bits)] as Segment;
    return this.segment.findByHash(key, hash);
  }

  /** A slot in {@link segment} for a key that has none. */
  add(key: string): number {
    this.segment = this.#segmentOf(key);
    while (this.segment.full) {
      if (this.segment.depth === MOST_BITS) this.remove(this.segment, this.segment.count - 1);
      else this.#split(this.segment);
      this.segment = this.#segmentOf(key);
    }
    this.#count++;
    this.#occupancy.states++;
    this.#occupancy.moves++;
    return this.segment.add(key);
  }

  remove(segment: Segment, slot: number): void {
    if (this.width === 0) this.#occupancy.logCells -= (segment.logs[slot] as Float64Array).length;
    segment.remove(slot);
    this.#count--;
    this.#occupancy.states--;
    this.#occupancy.moves++;
    if (this.#count === 0) this.#startOver();
  }

  delete(key: string): void {
    const slot = this.find(key);
    if (slot >= 0) this.remove(this.segment, slot);
  }

  cellsAt(segment: Segment, slot: number): Float64Array {
    return this.width === 0 ? (segment.logs[slot] as Float64Array) : segment.cells;
  }

  /** What {@link Algorithm.write} answered, where each state is an array of its own. */
  keepLog(segment: Segment, slot: number, cells: Float64Array): void {
    this.#occupancy.logCells += cells.length - (segment.logs[slot] as Float64Array).length;
    segment.logs[slot] = cells;
  }

  /** After many removals: joins a segment with its sibling when both together are less than half full. */
  tidy(segment: Segment): void {
    segment.trim();
    if (segment.depth === 0 || segment.count > this.#capacity / 4) return;
    const prefix = this.#prefixOf(segment);
    const sibling = this.#directory[(prefix ^ 1) << (this.#bits - segment.depth)] as Segment;
    if (sibling.depth !== segment.depth || segment.count + sibling.count > this.#capacity / 2) return;
    this.segments.splice(this.segments.indexOf(sibling), 1);
    segment.merge(sibling);
    this.#occupancy.moves++;
    this.#enter(segment, prefix >> 1);
    const bits = Math.max(...this.segments.map(({ depth }) => depth));
    const step = 2 ** (this.#bits - bits);
    if (step > 1) this.#directory = this.#directory.filter((_, at) => at % step === 0);
    this.#bits = bits;
    this.segment = this.segments[0] as Segment;
  }

  #segmentOf(key: string): Segment {
    return this.#bits === 0 ? this.segment : (this.#directory[this.#hash(key) >>> (32 - this.#bits)] as Segment);
  }

  #split(segment: Segment): void {
    const prefix = this.#prefixOf(segment);
    const sibling = segment.split();
    this.segments.push(sibling);
    if (segment.depth > this.#bits) {
      this.#directory = this.#directory.flatMap((each) => [each, each]);
      this.#bits++;
    }
    this.#enter(segment, 2 * prefix);
    this.#enter(sibling, 2 * prefix + 1);
  }

  /** The leading bits that the keys of a segment share. */
  #prefixOf(segment: Segment): number {
    return this.#bits === 0 ? 0 : this.#directory.indexOf(segment) >> (this.#bits - segment.depth);
  }

  #enter(segment: Segment, prefix: number): void {
    const repeats = 2 ** (this.#bits - segment.depth);
    this.#directory.fill(segment, prefix * repeats, (prefix + 1) * repeats);
  }

  #startOver(): void {
    this.segment = new Segment(this.width, this.#capacity, this.#hash);
    this.segments.splice(0, Infinity, this.segment);
    this.#directory = [this.segment];
    this.#bits = 0;
  }
}
