import { newReading, type Reading } from "../algorithms/algorithm.ts";
import * as log from "../algorithms/log-entries.ts";
import { report } from "../algorithms/report.ts";
import type { PolicyDecision, Receipt } from "../domain/decision.ts";
import type { Check, Reply } from "../domain/store.ts";
import type { Occupancy } from "./occupancy.ts";
import type { Overflow } from "./overflow.ts";
import { chargedCopy, twinOf, type Probe } from "./probe.ts";
import type { Room } from "./room.ts";
import type { Space } from "./space.ts";
import type { Spaces } from "./spaces.ts";

/** What the first entry of a log takes. */
const LEAST_LOG_CELLS: number = log.growth(new Float64Array(0), 0, 0);

/** Marks the receipts of charges to overflow states, which refunds must find again there and nowhere else. */
export const OVERFLOW_RECEIPT = "~";

/** Decides calls of any kind: several policies, blocks, logs, and keys that a full store has no room for. */
export class Decider {
  readonly #spaces: Spaces;
  readonly #room: Room;
  readonly #occupancy: Occupancy;
  /** By the place of a check in its call, so that decisions make none. */
  readonly #readings: Reading[] = [];

  constructor(spaces: Spaces, room: Room, occupancy: Occupancy) {
    this.#spaces = spaces;
    this.#room = room;
    this.#occupancy = occupancy;
  }

  consume(checks: readonly Check[], now: number): Reply {
    const probes: Probe[] = [];
    let allowed = true;
    for (const check of checks) {
      const probe = this.#ask(check, now, checks, probes);
      if (!probe.fits && !check.policy.shadow) allowed = false;
      probes.push(probe);
    }
    const policies = probes.map((probe) => this.#answer(probe, allowed, now, checks));
    return { at: now, allowed, policies, source: "store" };
  }

  /** Takes the costs whatever the limits. */
  charge(checks: readonly Check[], now: number): void {
    for (const check of checks) {
      if (check.cost === 0) continue;
      const probe = this.#ask(check, now, checks, []);
      probe.space.algorithm.owe(check.policy, probe.reading, check.cost);
      this.#write(probe, now, checks);
    }
  }

  /** The cells that a check of cost 0 reads, and where in them its state begins. */
  look(check: Check, now: number): { readonly cells: Float64Array; readonly base: number } {
    return this.#ask(check, now, [check], []);
  }

  #ask(check: Check, now: number, checks: readonly Check[], earlier: readonly Probe[]): Probe {
    const { policy, stateKey, cost } = check;
    const space = this.#spaces.of(policy, now);
    const { algorithm, states } = space;
    let position = states.find(stateKey);
    let { segment } = states;
    const overflow = position >= 0 ? undefined : this.#overflowFor(space, check, now, checks, earlier);
    if (overflow !== undefined) position = overflow.positionOf(stateKey);
    // Making room may have moved the segment that was looked at.
    else if (position < 0) segment = states.segment;

    let cells = space.absent;
    let base = 0;
    if (position >= 0) {
      cells = overflow?.cellsAt(position) ?? states.cellsAt(segment, position);
      base = (overflow ?? states).baseOf(position);
    }
    const twin = twinOf(earlier, space, stateKey, overflow === undefined ? -1 : position);
    if (twin !== undefined) {
      cells = chargedCopy(twin);
      base = 0;
    }
    const reading = (this.#readings[earlier.length] ??= newReading());
    algorithm.read(policy, cells, base, now, reading);
    const blockedMs = space.blockedMs(stateKey, now);
    const fits = blockedMs === 0 && (cost === 0 || algorithm.admits(policy, reading, cost));
    const { moves } = this.#occupancy;
    const shared = overflow !== undefined;
    return { check, space, reading, blockedMs, fits, shared, segment, position, moves, cells, base };
  }

  /** The overflow that decides for a key that has no state, if no state can be made for it. */
  #overflowFor(
    space: Space,
    { cost }: Check,
    now: number,
    checks: readonly Check[],
    earlier: readonly Probe[],
  ): Overflow | undefined {
    const room = this.#room;
    // A look makes no room, and no overflow either.
    const looks = cost === 0;
    const newcomers = earlier.filter(({ position, check }) => position < 0 && check.cost > 0).length + 1;
    if (!room.fits(newcomers) && !(looks ? room.canMake(now, checks) : room.make(now, checks))) {
      return looks ? space.overflow : this.#spaces.overflowOf(space);
    }
    const cells = newcomers * LEAST_LOG_CELLS;
    if (space.algorithm.width > 0 || room.fitsLog(cells)) return undefined;
    if (looks) return space.overflow;
    return room.makeLog(cells, now, checks) ? undefined : this.#spaces.overflowOf(space);
  }

  #answer(probe: Probe, allowed: boolean, now: number, checks: readonly Check[]): PolicyDecision {
    const { check, space, reading, fits, blockedMs } = probe;
    const { policy, cost } = check;
    let delayMs = 0;
    let receipt: Receipt | undefined;
    if (cost > 0 && fits && (allowed || policy.shadow)) {
      delayMs = space.algorithm.delayMs(policy, reading, cost);
      space.algorithm.take(policy, reading, cost);
      this.#write(probe, now, checks);
      receipt = space.algorithm.receipt(reading);
      if (probe.shared) receipt = `${OVERFLOW_RECEIPT}${receipt}`;
    }
    return report(space.algorithm, policy, cost, reading, probe.cells, probe.base, fits, blockedMs, delayMs, receipt);
  }

  /** Writes the reading to where the state is by now. */
  #write(probe: Probe, now: number, checks: readonly Check[]): void {
    const { check, space, reading } = probe;
    this.#place(probe);
    if (space.algorithm.width === 0) this.#writeLog(probe, now, checks);
    else space.algorithm.write(check.policy, reading, probe.cells, probe.base);
    if (probe.shared) (space.overflow as Overflow).note(space.algorithm.staleAt(check.policy, probe.cells, probe.base));
  }

  #writeLog(probe: Probe, now: number, checks: readonly Check[]): void {
    const { check, space, reading, shared } = probe;
    const cells = log.growth(probe.cells, reading.first, reading.time);
    if (cells > 0 && !this.#room.fitsLog(cells) && (shared || !this.#room.makeLog(cells, now, checks))) {
      log.postponeNewest(probe.cells, reading.time);
    }
    // What was evicted for it may have moved it.
    this.#place(probe);
    probe.cells = space.algorithm.write(check.policy, reading, probe.cells, 0);
    if (shared) (space.overflow as Overflow).keepLog(probe.position, probe.cells);
    else space.states.keepLog(probe.segment, probe.position, probe.cells);
  }

  /** Finds the state again where it may have moved, and makes it where there is none. */
  #place(probe: Probe): void {
    const { states, overflow } = probe.space;
    if (probe.shared) {
      const shared = overflow as Overflow;
      probe.cells = shared.cellsAt(probe.position);
      probe.base = shared.baseOf(probe.position);
    } else {
      if (probe.moves !== this.#occupancy.moves) {
        probe.position = states.find(probe.check.stateKey);
        probe.segment = states.segment;
      }
      if (probe.position < 0) {
        probe.position = states.add(probe.check.stateKey);
        probe.segment = states.segment;
      }
      probe.moves = this.#occupancy.moves;
      probe.cells = states.cellsAt(probe.segment, probe.position);
      probe.base = states.baseOf(probe.position);
    }
  }
}
