import { Segment } from "./segment.ts";
import type { Table } from "./table.ts";

/**
 * Goes round all positions of some tables, one at a time, as the hand of a clock. It goes from high
 * positions to low ones, so that what a removal moves into the gap was looked at already.
 */
export class Hand {
  /** Where it stands. */
  segment: Segment = new Segment(0, 0, 0);
  position = 0;
  readonly #tables: readonly Table[];
  #tableAt = 0;
  #segmentAt = 0;

  /** @param tables - may change at any time. */
  constructor(tables: readonly Table[]) {
    this.#tables = tables;
  }

  get table(): Table {
    return this.#tables[this.#tableAt] as Table;
  }

  /** `undefined` at a position that is free. */
  get key(): string | undefined {
    return this.segment.keys[this.position];
  }

  get cells(): Float64Array {
    return this.table.cellsAt(this.segment, this.position);
  }

  get base(): number {
    return this.table.baseOf(this.position);
  }

  /** Goes to the next position; there must be a table. States may move when it leaves a segment. */
  advance(): void {
    this.position = Math.min(this.position, this.segment.keys.length);
    while (this.position === 0) this.#enterNextSegment();
    this.position--;
  }

  /** Goes to the next state; there must be one in some table. */
  advanceToState(): void {
    do this.advance();
    while (this.key === undefined);
  }

  #enterNextSegment(): void {
    const left = this.#tables[this.#tableAt];
    if (left?.segments[this.#segmentAt] === this.segment) left.tidy(this.segment);
    this.#segmentAt++;
    if (left === undefined || this.#segmentAt >= left.segments.length) {
      this.#segmentAt = 0;
      this.#tableAt = (this.#tableAt + 1) % this.#tables.length;
    }
    this.segment = this.table.segments[this.#segmentAt] as Segment;
    this.position = this.segment.keys.length;
  }
}
