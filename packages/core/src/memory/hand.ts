import type { Segment } from "./segment.ts";
import { SmallSegment } from "./small-segment.ts";
import type { Table } from "./table.ts";

/**
 * Goes round all positions of some tables, one at a time, as the hand of a clock. It goes from high
 * positions to low ones, so that what a removal moves into the gap was looked at already.
 */
export class Hand {
  /** Where it stands. */
  segment: Segment = new SmallSegment(0, 0);
  position = 0;
  readonly #tables: readonly Table[];
  #table: Table | undefined;
  #tableAt = 0;
  #segmentAt = 0;

  /** @param tables - may change at any time. */
  constructor(tables: readonly Table[]) {
    this.#tables = tables;
  }

  get table(): Table {
    return this.#table as Table;
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

  /** Goes to the next position; some table must have a state. States may move when it leaves a segment. */
  advance(): void {
    if (this.position > this.segment.keys.length) this.position = this.segment.keys.length;
    while (this.position === 0) this.#enterNextSegment();
    this.position--;
  }

  /** Goes to the next state. */
  advanceToState(): void {
    do this.advance();
    while (this.key === undefined);
  }

  #enterNextSegment(): void {
    const left = this.#table;
    if (left?.segments[this.#segmentAt] === this.segment) left.tidy(this.segment);
    this.#segmentAt++;
    if (left === undefined || this.#segmentAt >= left.segments.length) {
      this.#segmentAt = 0;
      this.#tableAt = (this.#tableAt + 1) % this.#tables.length;
      this.#table = this.#tables[this.#tableAt];
    }
    this.segment = this.table.segments[this.#segmentAt] as Segment;
    this.position = this.segment.keys.length;
  }
}
