import { Segment } from "./segment.ts";

/**
 * The segments of a large table by the leading bits of a hash (extendible hashing): a full one is split
 * in two without touching the others.
 */
export class SegmentDirectory {
  /** In no order. */
  readonly segments: Segment[];
  /** By leading bits; a segment whose keys share fewer of them stands several times. */
  #entries: Segment[];
  #bits = 0;
  /** How many there have been; a segment's ordinal is how many there were with it. */
  #made = 2;

  /** @param only - has the ordinal 1. */
  constructor(only: Segment) {
    this.segments = [only];
    this.#entries = [only];
  }

  /** The segment of the keys with this hash. */
  of(hash: number): Segment {
    return this.#entries[this.#bits === 0 ? 0 : hash >>> (32 - this.#bits)] as Segment;
  }

  split(segment: Segment): void {
    const prefix = this.#prefixOf(segment);
    const [low, high] = segment.split(this.#made);
    this.#made += 2;
    this.segments[this.segments.indexOf(segment)] = low;
    this.segments.push(high);
    if (low.depth > this.#bits) {
      this.#entries = this.#entries.flatMap((each) => [each, each]);
      this.#bits++;
    }
    this.#enter(low, 2 * prefix);
    this.#enter(high, 2 * prefix + 1);
  }

  /** The segment that it was split from, if that has not been split again. */
  siblingOf(segment: Segment): Segment | undefined {
    if (segment.depth === 0) return undefined;
    const sibling = this.#entries[(this.#prefixOf(segment) ^ 1) << (this.#bits - segment.depth)] as Segment;
    return sibling.depth === segment.depth ? sibling : undefined;
  }

  /** Undoes a split. */
  merge(one: Segment, sibling: Segment): void {
    const prefix = this.#prefixOf(one) >> 1;
    const merged = Segment.merge(one, sibling, this.#made++);
    this.segments.splice(this.segments.indexOf(sibling), 1);
    this.segments[this.segments.indexOf(one)] = merged;
    this.#enter(merged, prefix);
    const bits = Math.max(...this.segments.map(({ depth }) => depth));
    const repeats = 2 ** (this.#bits - bits);
    if (repeats > 1) this.#entries = this.#entries.filter((_, at) => at % repeats === 0);
    this.#bits = bits;
  }

  /** The leading bits that the keys of a segment share. */
  #prefixOf(segment: Segment): number {
    return this.#entries.indexOf(segment) >> (this.#bits - segment.depth);
  }

  #enter(segment: Segment, prefix: number): void {
    const repeats = 2 ** (this.#bits - segment.depth);
    this.#entries.fill(segment, prefix * repeats, (prefix + 1) * repeats);
  }
}
