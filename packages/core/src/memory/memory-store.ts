import { newReading, type Reading } from "../algorithms/algorithm.ts";
import { report } from "../algorithms/report.ts";
import { viewState } from "../algorithms/state-view.ts";
import { readClock, type Clock } from "../domain/clock.ts";
import type { PolicyDecision } from "../domain/decision.ts";
import type { Check, RaiseCheck, Refund, Reply, StateView, SyncStore } from "../domain/store.ts";
import { turnClock } from "./clock.ts";
import { Decider, OVERFLOW_RECEIPT } from "./decider.ts";
import { KeyHash } from "./key-hash.ts";
import { checkOptions, type MemoryStoreOptions } from "./memory-store-options.ts";
import type { Occupancy } from "./occupancy.ts";
import { Room } from "./room.ts";
import { Spaces } from "./spaces.ts";
import { SLICE, Sweep } from "./sweep.ts";

const NONE: readonly Check[] = [];

/**
 * Keeps every state in this process: it decides synchronously, and each process counts alone. States
 * are lost with the process. See {@link memoryStore}.
 */
export class MemoryStore implements SyncStore {
  readonly sync = true;
  readonly kind = "memory";
  readonly #occupancy: Occupancy = { states: 0, logCells: 0, moves: 0 };
  readonly #spaces: Spaces;
  readonly #room: Room;
  readonly #decider: Decider;
  readonly #sweep: Sweep;
  readonly #now: Clock;
  readonly #reading: Reading = newReading();

  constructor(options: MemoryStoreOptions = {}) {
    const { maxKeys, maxLogEntries, clock } = checkOptions(options);
    this.#now = clock === undefined ? turnClock() : () => readClock(clock);
    this.#spaces = new Spaces(this.#occupancy, new KeyHash());
    const { tables, logTables } = this.#spaces;
    this.#room = new Room(this.#occupancy, maxKeys, 2 * maxLogEntries, tables, logTables);
    this.#decider = new Decider(this.#spaces, this.#room, this.#occupancy);
    this.#sweep = new Sweep(
      () => this.#keepHouse(),
      () => this.#occupancy.states === 0 && this.#spaces.overflows === 0,
    );
  }

  /** States and blocks held, those included that count no more and are still to be collected. Never above `maxKeys`. */
  get size(): number {
    return this.#occupancy.states;
  }

  consume(checks: readonly Check[]): Reply {
    return this.#consume(checks, this.#now());
  }

  raise(checks: readonly RaiseCheck[]): Reply {
    const now = this.#now();
    for (const { policy, stateKey, earlier } of checks) {
      if (earlier !== undefined) this.#refund({ policy, stateKey, ...earlier }, now);
    }
    return this.#consume(checks, now);
  }

  peek(checks: readonly Check[]): Reply {
    return this.#peek(checks, this.#now());
  }

  charge(checks: readonly Check[]): Reply {
    const now = this.#now();
    const before = this.#occupancy.states;
    this.#decider.charge(checks, now);
    this.#settle(before, now);
    return this.#peek(checks, now);
  }

  refund(refunds: readonly Refund[]): void {
    const now = this.#now();
    for (const refund of refunds) this.#refund(refund, now);
  }

  reset(checks: readonly Check[]): void {
    const now = this.#now();
    for (const { policy, stateKey } of checks) {
      const space = this.#spaces.of(policy, now);
      space.states.delete(stateKey);
      space.blocks?.delete(stateKey);
    }
  }

  block(checks: readonly Check[], ms: number): void {
    const now = this.#now();
    for (const { policy, stateKey } of checks) {
      const space = this.#spaces.of(policy, now);
      if (ms === 0) {
        space.blocks?.delete(stateKey);
        continue;
      }
      const blocks = this.#spaces.blocksOf(space);
      let position = blocks.find(stateKey);
      if (position < 0) {
        if (!this.#room.fits(1)) this.#room.insist(now, checks);
        position = blocks.add(stateKey);
      }
      blocks.segment.cells[blocks.baseOf(position)] = now + ms;
    }
    this.#sweep.start();
  }

  inspect(checks: readonly Check[]): readonly (StateView | undefined)[] {
    const now = this.#now();
    return checks.map(({ policy, stateKey }) => {
      const { cells, base } = this.#decider.look({ policy, stateKey, cost: 0 }, now);
      return viewState(policy, cells, base, now, this.#spaces.of(policy, now).blockedUntil(stateKey));
    });
  }

  /** Ends house-keeping in the background. What is still asked is decided as before. */
  close(): void {
    this.#sweep.close();
  }

  #consume(checks: readonly Check[], now: number): Reply {
    const only = checks.length === 1 ? this.#decideOne(checks[0] as Check, now) : undefined;
    if (only !== undefined) {
      return { at: now, allowed: only.allowed || only.shadow, policies: [only], source: "store" };
    }
    const before = this.#occupancy.states;
    const reply = this.#decider.consume(checks, now);
    this.#settle(before, now);
    return reply;
  }

  #peek(checks: readonly Check[], now: number): Reply {
    return this.#consume(
      checks.map(({ policy, stateKey }) => ({ policy, stateKey, cost: 0 })),
      now,
    );
  }

  /** The usual call in the fewest steps: one policy, no blocks, no log, room for a new key. Else `undefined`, and nothing is decided. */
  #decideOne({ policy, stateKey, cost }: Check, now: number): PolicyDecision | undefined {
    const space = this.#spaces.of(policy, now);
    const { algorithm, states } = space;
    if (algorithm.width === 0 || space.hasBlocks) return undefined;
    const reading = this.#reading;
    let position = states.find(stateKey);
    if (position < 0 && !this.#room.fits(1) && (cost === 0 || !this.#room.make(now, NONE))) return undefined;
    let cells = position < 0 ? space.absent : states.segment.cells;
    let base = position < 0 ? 0 : states.baseOf(position);
    algorithm.read(policy, cells, base, now, reading);
    const fits = cost === 0 || algorithm.admits(policy, reading, cost);
    if (!fits || cost === 0) return report(algorithm, policy, cost, reading, cells, base, fits, 0, 0, undefined);

    const delayMs = algorithm.delayMs(policy, reading, cost);
    algorithm.take(policy, reading, cost);
    const added = position < 0;
    if (added) {
      position = states.add(stateKey);
      cells = states.segment.cells;
      base = states.baseOf(position);
    }
    algorithm.write(policy, reading, cells, base);
    const receipt = algorithm.receipt(reading);
    const decision = report(algorithm, policy, cost, reading, cells, base, true, 0, delayMs, receipt);
    if (added) this.#settle(this.#occupancy.states - 1, now);
    return decision;
  }

  #refund({ policy, stateKey, receipt, cost }: Refund, now: number): void {
    const space = this.#spaces.of(policy, now);
    const { algorithm, states, overflow } = space;
    if (typeof receipt === "string") {
      if (overflow === undefined) return;
      const position = overflow.positionOf(stateKey);
      const charged = Number(receipt.slice(OVERFLOW_RECEIPT.length));
      algorithm.refund(policy, overflow.cellsAt(position), overflow.baseOf(position), now, charged, cost);
      return;
    }
    const position = states.find(stateKey);
    if (position < 0) return;
    algorithm.refund(policy, states.cellsAt(states.segment, position), states.baseOf(position), now, receipt, cost);
  }

  /** Pays for what a call has added. */
  #settle(before: number, now: number): void {
    const added = this.#occupancy.states - before;
    if (added <= 0) return;
    this.#room.collect(now, added);
    this.#sweep.start();
  }

  /** One slice in the background; answers how many states it removed. */
  #keepHouse(): number {
    try {
      const now = this.#now();
      this.#spaces.dropStaleOverflows(now);
      return this.#occupancy.states === 0 ? 0 : this.#room.lap(now, SLICE.looks, SLICE.removals);
    } catch {
      // An injected clock failed: whoever asks next is told.
      return 0;
    }
  }
}

/**
 * A store in this process, bounded in memory and exact. Checks are trusted to be as the interface says. Expiry is
 * decided when a state is read; what is stale is collected a little with each new key, and by a timer that exists
 * only while there are keys and keeps no process alive. Keys are told apart by 128 bits of a secret hash and not kept;
 * that any two of a million keys share a state has a chance of less than 10^-8 (ASCII keys: 10^-15).
 *
 * @throws {@link ConfigError} for an unknown option, or a value outside its range.
 */
export function memoryStore(options?: MemoryStoreOptions): MemoryStore {
  return new MemoryStore(options);
}
