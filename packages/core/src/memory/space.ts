import { newReading, type Algorithm, type Reading } from "../algorithms/algorithm.ts";
import { algorithmOf } from "../algorithms/index.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Overflow } from "./overflow.ts";
import type { Lifetime, Table } from "./table.ts";

/** Blocks are states of one number, the time of their end. No flood of new keys evicts one. */
export const BLOCK: Lifetime = {
  staleAt: (cells, base) => cells[base] as number,
  roomLeft: () => 0,
};

/** All that a store holds for one `policy.space`, whatever limits that policy has had. */
export class Space {
  readonly algorithm: Algorithm;
  readonly states: Table;
  /** Reads as a state never seen. */
  readonly absent: Float64Array;
  /** By key. */
  blocks: Table | undefined;
  /** When it was last looked up. */
  usedAt = 0.5;
  /** Made when the store is full of keys that may not be evicted. */
  overflow: Overflow | undefined;

  constructor(policy: ResolvedPolicy, createStates: (width: number, lifetime: Lifetime) => Table) {
    this.algorithm = algorithmOf(policy.algorithm);
    this.absent = new Float64Array(this.algorithm.width);
    this.states = createStates(this.algorithm.width, new Strictest(policy, this.algorithm));
  }

  /** As a rule there are none, and then decisions don't look for one. */
  get hasBlocks(): boolean {
    return this.blocks !== undefined && this.blocks.count > 0;
  }

  /** Whether nothing would be lost with it, and no call that is being decided can have looked it up. */
  isIdle(now: number): boolean {
    return this.usedAt !== now && this.states.count === 0 && !this.hasBlocks && this.overflow === undefined;
  }

  /** Notes that the policy has these numbers now. */
  meet(policy: ResolvedPolicy): void {
    (this.states.lifetime as Strictest).meet(policy);
  }

  /** Ms until the block on a key ends; 0 without one. */
  blockedMs(key: string, now: number): number {
    return Math.max(0, this.blockedUntil(key) - now);
  }

  blockedUntil(key: string): number {
    const { blocks } = this;
    if (blocks === undefined || blocks.count === 0) return 0;
    const position = blocks.find(key);
    return position < 0 ? 0 : (blocks.segment.cells[blocks.baseOf(position)] as number);
  }
}

/**
 * Judges states by the strictest numbers that their policy has had: which of them a key has is known
 * only when it asks. So nobody's state is taken for staler or less used than it is.
 */
class Strictest implements Lifetime {
  readonly #algorithm: Algorithm;
  readonly #reading: Reading = newReading();
  #policy: ResolvedPolicy;

  constructor(policy: ResolvedPolicy, algorithm: Algorithm) {
    this.#policy = policy;
    this.#algorithm = algorithm;
  }

  meet(policy: ResolvedPolicy): void {
    const { capacity, limit } = this.#policy;
    // A capacity of 0 says nothing: it is never charged.
    if (policy.capacity === 0) return;
    if (capacity === 0 || policy.capacity < capacity || (policy.capacity === capacity && policy.limit < limit)) {
      this.#policy = policy;
    }
  }

  staleAt(cells: Float64Array, base: number): number {
    return this.#algorithm.staleAt(this.#policy, cells, base);
  }

  roomLeft(cells: Float64Array, base: number, now: number): number {
    if (this.#policy.capacity === 0) return 0;
    this.#algorithm.read(this.#policy, cells, base, now, this.#reading);
    return this.#algorithm.remaining(this.#policy, this.#reading) / this.#policy.capacity;
  }
}
