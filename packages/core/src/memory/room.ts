import type { Check } from "../domain/store.ts";
import { Hand } from "./hand.ts";
import type { Occupancy } from "./occupancy.ts";
import type { Segment } from "./segment.ts";
import type { Table } from "./table.ts";

/** States looked at to find one to evict. */
const SAMPLE = 8;

/** Positions looked at for each state added: the states there are more than one, so that the hand gains on the additions. */
const LOOKS_PER_ADDITION = 3;

/** So few states cost less than collecting them along the way; the sweep in the background takes them. */
const COLLECT_ABOVE = 16_384;

/** A log that grows evicts at most so many others. */
const LOG_EVICTIONS = 4;

/** A state that may be evicted, and where it is while {@link Occupancy.moves} stays as it is. */
interface Victim {
  readonly table: Table;
  readonly key: string;
  readonly segment: Segment;
  readonly position: number;
  readonly moves: number;
}

/** Keeps a store within its bounds: collects states that are stale, and evicts when it is full. */
export class Room {
  readonly #occupancy: Occupancy;
  readonly #maxStates: number;
  readonly #maxLogCells: number;
  readonly #tables: readonly Table[];
  readonly #hand: Hand;
  readonly #logTables: readonly Table[];
  readonly #logHand: Hand;

  /**
   * @param tables - all tables.
   * @param logTables - those of them whose states are arrays of their own.
   */
  constructor(
    occupancy: Occupancy,
    maxStates: number,
    maxLogCells: number,
    tables: readonly Table[],
    logTables: readonly Table[],
  ) {
    this.#occupancy = occupancy;
    this.#maxStates = maxStates;
    this.#maxLogCells = maxLogCells;
    this.#tables = tables;
    this.#hand = new Hand(tables);
    this.#logTables = logTables;
    this.#logHand = new Hand(logTables);
  }

  /** Whether `more` states fit as things are. */
  fits(more: number): boolean {
    return this.#occupancy.states + more <= this.#maxStates;
  }

  /** Whether logs may hold so many more numbers as things are. */
  fitsLog(cells: number): boolean {
    return this.#occupancy.logCells + cells <= this.#maxLogCells;
  }

  /** Whether {@link make} would find something to evict. */
  canMake(now: number, pinned: readonly Check[]): boolean {
    return this.#occupancy.states > 0 && this.#leastUsed(this.#hand, now, pinned) !== undefined;
  }

  /**
   * Removes one state: the first stale one of a sample, or the least used.
   *
   * @param pinned - states that stay.
   * @returns `false`, and nothing is removed, when all of the sample are at their limit or blocked.
   */
  make(now: number, pinned: readonly Check[]): boolean {
    return this.#occupancy.states > 0 && this.#evict(this.#leastUsed(this.#hand, now, pinned));
  }

  /** As {@link make}, and if there is no other way removes what would be stale the soonest. */
  insist(now: number, pinned: readonly Check[]): void {
    if (this.make(now, pinned)) return;
    let soonest = Infinity;
    let victim: Victim | undefined;
    for (let look = 0; look < SAMPLE; look++) {
      this.#hand.advanceToState();
      const { table, cells, base } = this.#hand;
      const staleAt = table.lifetime.staleAt(cells, base);
      if (staleAt >= soonest) continue;
      soonest = staleAt;
      victim = this.#under(this.#hand);
    }
    this.#evict(victim);
  }

  /** Evicts logs until one may grow by so many numbers; `false` when too little could be evicted. */
  makeLog(cells: number, now: number, pinned: readonly Check[]): boolean {
    for (let tries = 0; tries < LOG_EVICTIONS && !this.fitsLog(cells); tries++) {
      // There may be none but those of the overflow.
      if (!this.#logTables.some(({ count }) => count > 0)) break;
      if (!this.#evict(this.#leastUsed(this.#logHand, now, pinned))) break;
    }
    return this.fitsLog(cells);
  }

  /** Pays for the states just added: looks at a few others, and removes those that are stale. */
  collect(now: number, added: number): void {
    if (this.#occupancy.states > COLLECT_ABOVE) this.sweep(now, added * LOOKS_PER_ADDITION, Infinity);
  }

  /** One slice in the background: as {@link sweep}, but round all positions once at the most. */
  lap(now: number, looks: number, most: number): number {
    let positions = 0;
    for (const { segments } of this.#tables) for (const { keys } of segments) positions += keys.length;
    return this.sweep(now, Math.min(looks, positions), most);
  }

  /**
   * Looks at so many positions, and removes the states that are stale.
   *
   * @param most - stops after so many removals.
   * @returns how many were removed.
   */
  sweep(now: number, looks: number, most: number): number {
    const before = this.#occupancy.states;
    const least = Math.max(0, before - most);
    for (let look = 0; look < looks && this.#occupancy.states > least; look++) {
      this.#hand.advance();
      const { table, segment, position, key, cells, base } = this.#hand;
      if (key !== undefined && table.lifetime.staleAt(cells, base) <= now) table.remove(segment, position);
    }
    return before - this.#occupancy.states;
  }

  #leastUsed(hand: Hand, now: number, pinned: readonly Check[]): Victim | undefined {
    let most = 0;
    let victim: Victim | undefined;
    for (let look = 0; look < SAMPLE; look++) {
      hand.advanceToState();
      const { table, cells, base, key } = hand;
      if (pinned.some(({ stateKey }) => stateKey === key)) continue;
      if (table.lifetime.staleAt(cells, base) <= now) return this.#under(hand);
      const left = table.lifetime.roomLeft(cells, base, now);
      if (left <= most) continue;
      most = left;
      victim = this.#under(hand);
    }
    return victim;
  }

  #under({ table, segment, position, key }: Hand): Victim {
    return { table, segment, position, key: key as string, moves: this.#occupancy.moves };
  }

  #evict(victim: Victim | undefined): boolean {
    if (victim === undefined) return false;
    if (victim.moves === this.#occupancy.moves) victim.table.remove(victim.segment, victim.position);
    else victim.table.delete(victim.key);
    return true;
  }
}
