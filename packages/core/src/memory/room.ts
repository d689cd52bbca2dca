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
const COLLECT_ABOVE = 12_288;

/**
 * Once begun, collecting goes on until there are so few. Would it keep pace with additions, what the hand comes to next
 * were always the most crowded part of a table, and looking a key up there a long walk.
 */
const COLLECT_UNTIL = 4_096;

/** A log that grows evicts at most so many others. */
const LOG_EVICTIONS = 4;

/** A state that may be evicted, and where it is as long as nothing moves. */
interface Victim {
  readonly table: Table;
  readonly segment: Segment;
  readonly position: number;
}

/** Keeps a store within its bounds: collects states that are stale, and evicts when it is full. */
export class Room {
  readonly #occupancy: Occupancy;
  readonly #maxStates: number;
  readonly #maxLogCells: number;
  readonly #tables: readonly Table[];
  readonly #hand: Hand;
  readonly #logHand: Hand;
  #collecting = false;

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
    for (let look = 0; look < SAMPLE && this.#hand.hasStates; look++) {
      this.#hand.advanceToState();
      if (roomLeft(this.#hand, now) > 0 && !isPinned(this.#hand, pinned)) return true;
    }
    return false;
  }

  /**
   * Removes the stale states of a sample; where there are none, the least used one.
   *
   * @param pinned - states that stay.
   * @returns `false`, and nothing is removed, when all of the sample are at their limit or blocked.
   */
  make(now: number, pinned: readonly Check[]): boolean {
    return this.#evictFrom(this.#hand, now, pinned);
  }

  /** As {@link make}, and if there is no other way removes what would be stale the soonest. */
  insist(now: number, pinned: readonly Check[]): void {
    if (this.make(now, pinned) || !this.#hand.hasStates) return;
    let soonest = Infinity;
    let victim: Victim | undefined;
    for (let look = 0; look < SAMPLE; look++) {
      this.#hand.advanceToState();
      const { table, cells, base } = this.#hand;
      const staleAt = table.lifetime.staleAt(cells, base);
      if (staleAt >= soonest) continue;
      soonest = staleAt;
      victim = under(this.#hand);
    }
    victim?.table.remove(victim.segment, victim.position);
  }

  /** Evicts logs until one may grow by so many numbers; `false` when too little could be evicted. */
  makeLog(cells: number, now: number, pinned: readonly Check[]): boolean {
    for (let tries = 0; tries < LOG_EVICTIONS && !this.fitsLog(cells); tries++) {
      if (!this.#evictFrom(this.#logHand, now, pinned)) break;
    }
    return this.fitsLog(cells);
  }

  /** Pays for the states just added: looks at a few others, and removes those that are stale. */
  collect(now: number, added: number): void {
    const { states } = this.#occupancy;
    this.#collecting = states > (this.#collecting ? COLLECT_UNTIL : COLLECT_ABOVE);
    if (this.#collecting) this.sweep(now, added * LOOKS_PER_ADDITION, Infinity);
  }

  /** One slice in the background: as {@link sweep}, but round all positions once at the most. */
  lap(now: number, looks: number, most: number): number {
    let positions = 0;
    for (const table of this.#tables) for (const segment of table.segments) positions += segment.positions;
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
      const hand = this.#hand;
      hand.tidy();
      hand.advance();
      if (!hand.isFree && hand.table.lifetime.staleAt(hand.cells, hand.base) <= now) {
        hand.table.remove(hand.segment, hand.position);
      }
    }
    return before - this.#occupancy.states;
  }

  #evictFrom(hand: Hand, now: number, pinned: readonly Check[]): boolean {
    const before = this.#occupancy.states;
    let most = 0;
    let victim: Victim | undefined;
    for (let look = 0; look < SAMPLE && hand.hasStates; look++) {
      hand.advanceToState();
      const left = roomLeft(hand, now);
      if (left <= most || isPinned(hand, pinned)) continue;
      if (left === Infinity) {
        // What was found before may move with that, and is needed no more.
        hand.table.remove(hand.segment, hand.position);
      } else {
        most = left;
        victim = under(hand);
      }
    }
    if (this.#occupancy.states === before) victim?.table.remove(victim.segment, victim.position);
    return this.#occupancy.states < before;
  }
}

/** How much of its capacity the state under the hand has left; `Infinity` for one that is stale. */
function roomLeft({ table: { lifetime }, cells, base }: Hand, now: number): number {
  return lifetime.staleAt(cells, base) <= now ? Infinity : lifetime.roomLeft(cells, base, now);
}

function under({ table, segment, position }: Hand): Victim {
  return { table, segment, position };
}

function isPinned({ table, segment, position }: Hand, pinned: readonly Check[]): boolean {
  return pinned.some(({ stateKey }) => table.isAt(segment, position, stateKey));
}
