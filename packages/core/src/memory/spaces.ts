import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { KeyHash } from "./key-hash.ts";
import type { Occupancy } from "./occupancy.ts";
import { Overflow } from "./overflow.ts";
import { BLOCK, Space } from "./space.ts";
import { Table, type Lifetime } from "./table.ts";

/** Beyond so many the idle ones are dropped: a limit function may give ever new rates, each a space of its own. */
const FEW_SPACES = 64;

/** The spaces of a store by name, and all their tables. */
export class Spaces {
  /** For the hand of the clock. */
  readonly tables: Table[] = [];
  /** Those whose states are arrays of their own. */
  readonly logTables: Table[] = [];
  readonly #byName = new Map<string, Space>();
  readonly #occupancy: Occupancy;
  readonly #hash: KeyHash;
  #overflows = 0;
  #dropAbove = FEW_SPACES;
  #lastPolicy: ResolvedPolicy | undefined;
  #lastSpace: Space | undefined;

  constructor(occupancy: Occupancy, hash: KeyHash) {
    this.#occupancy = occupancy;
    this.#hash = hash;
  }

  /** How many overflows there are. */
  get overflows(): number {
    return this.#overflows;
  }

  /** The space of a policy; made when there is none. */
  of(policy: ResolvedPolicy, now: number): Space {
    const space = policy === this.#lastPolicy ? (this.#lastSpace as Space) : this.#lookUp(policy, now);
    space.usedAt = now;
    return space;
  }

  /** The table of a space's blocks; made when there is none. */
  blocksOf(space: Space): Table {
    return (space.blocks ??= this.#createTable(1, BLOCK));
  }

  overflowOf(space: Space): Overflow {
    if (space.overflow === undefined) {
      space.overflow = new Overflow(space.algorithm.width, this.#occupancy, this.#hash);
      this.#overflows++;
    }
    return space.overflow;
  }

  /** Lets go of overflows in which nothing counts any more, but for those that a call may be about to use. */
  dropStaleOverflows(now: number): void {
    for (const space of this.#byName.values()) {
      if (space.overflow === undefined || space.overflow.staleAt > now || space.usedAt === now) continue;
      space.overflow.clear();
      space.overflow = undefined;
      this.#overflows--;
    }
  }

  #lookUp(policy: ResolvedPolicy, now: number): Space {
    let space = this.#byName.get(policy.space);
    if (space === undefined) {
      if (this.#byName.size >= this.#dropAbove) {
        this.dropStaleOverflows(now);
        this.#dropIdle(now);
      }
      space = new Space(policy, (width, lifetime) => this.#createTable(width, lifetime));
      this.#byName.set(policy.space, space);
    } else {
      space.meet(policy);
    }
    this.#lastPolicy = policy;
    this.#lastSpace = space;
    return space;
  }

  #createTable(width: number, lifetime: Lifetime): Table {
    const table = new Table(width, lifetime, { occupancy: this.#occupancy, hash: this.#hash });
    this.tables.push(table);
    if (width === 0) this.logTables.push(table);
    return table;
  }

  #dropIdle(now: number): void {
    const kept = new Set<Table | undefined>();
    for (const [name, space] of this.#byName) {
      if (space.isIdle(now)) this.#byName.delete(name);
      else kept.add(space.states).add(space.blocks);
    }
    retain(this.tables, kept);
    retain(this.logTables, kept);
    this.#dropAbove = Math.max(FEW_SPACES, 2 * this.#byName.size);
  }
}

/** In place, since the hands of the clock hold these lists. */
function retain(list: Table[], kept: ReadonlySet<Table | undefined>): void {
  let length = 0;
  for (const table of list) if (kept.has(table)) list[length++] = table;
  list.length = length;
}
