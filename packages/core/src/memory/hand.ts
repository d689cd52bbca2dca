import { Segment } from "./segment.ts";
import type { Table } from "./table.ts";

/**
 * Goes round all positions of some tables, one at a time, as the hand of a clock. It goes from high
 * positions to low ones, so that what a removal moves into the gap was looked at already.
 */
export class Hand {
  /** Where it stands. */
  segment: Segment = new Segment(0, 0, 0, 0);
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

  /** Whether there is no state where it stands. */
  get isFree(): boolean {
    return this.segment.isFree(this.position);
  }

  get cells(): Float64Array {
    return this.table.cellsAt(this.segment, this.position);
  }

  get base(): number {
    return this.table.baseOf(this.position);
  }

  /** Whether there is a state anywhere. */
  get hasStates(): boolean {
    return this.#tables.some(({ count }) => count > 0);
  }

  /** Goes to the next position; some table must have a state. */
  advance(): void {
    if (this.position > this.segment.positions) this.position = this.segment.positions;
    while (this.position === 0) this.#enterNextSegment();
    this.position--;
  }

  /** Goes to the next state. */
  advanceToState(): void {
    do this.advance();
    while (this.isFree);
  }

  /** Tidies the segment that it is about to leave, if it is; states may move with that. */
  tidy(): void {
    const table = this.#table;
    if (this.position === 0 && table?.segments[this.#segmentAt] === this.segment) table.tidy(this.segment);
  }

  #enterNextSegment(): void {
    const left = this.#table;
    this.#segmentAt++;
    if (left === undefined || this.#segmentAt >= left.segments.length) {
      this.#segmentAt = 0;
      this.#tableAt = (this.#tableAt + 1) % this.#tables.length;
      this.#table = this.#tables[this.#tableAt];
    }
    this.segment = this.table.segments[this.#segmentAt] as Segment;
    this.position = this.segment.positions;
  }
}
