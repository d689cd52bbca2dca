import { Segment } from "./segment.ts";
import type { Table } from "./table.ts";

/**
 * Goes round all states of some tables, one at a time, as the hand of a clock. It goes from high slots
 * to low ones, so that what a removal moves into the freed slot was looked at already.
 */
export class Hand {
  /** Where it stands. */
  segment: Segment = new Segment(0, 1, () => 0);
  slot = 0;
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

  get key(): string {
    return this.segment.keys[this.slot] as string;
  }

  get cells(): Float64Array {
    return this.table.cellsAt(this.segment, this.slot);
  }

  get base(): number {
    return this.slot * this.table.width;
  }

  /** Goes to the next state; there must be one in some table. Slots may move when it leaves a segment. */
  advance(): void {
    this.slot = Math.min(this.slot, this.segment.count);
    while (this.slot === 0) this.#enterNextSegment();
    this.slot--;
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
    this.slot = this.segment.count;
  }
}
