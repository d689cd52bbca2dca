import { ADMITTED_NOW, ADMITTED_PEAK, ASKED_NOW, ASKED_PEAK, type CallerRecords } from "./caller-records.ts";

const ADMITTED = 0x80000000;
/** The dearest request that peaks can tell. */
const COST = 0x7fffffff;

/**
 * Finds what each caller asked for and got in any stretch of one window's length, wherever it begins:
 * exact, at the price of remembering the requests of the last window.
 */
export class WindowPeaks {
  /** Length of the stretch, in ms. */
  readonly window: number;
  readonly #most: number;
  #times = new Float64Array(1024);
  #callers = new Int32Array(1024);
  #costs = new Uint32Array(1024);
  #head = 0;
  #size = 0;
  /** False when requests of the last window had to be forgotten early: peaks are then at least what is told. */
  exact = true;

  /** @param most - how many requests of one window are remembered, a power of 2. */
  constructor(window: number, most: number = 1 << 21) {
    this.window = window;
    this.#most = most;
  }

  add(time: number, caller: number, cost: number, admitted: boolean, records: CallerRecords): void {
    const oldest = time - this.window;
    while (this.#size > 0 && (this.#times[this.#head] as number) <= oldest) this.#forget(records);
    if (this.#size === this.#times.length) this.#makeRoom(records);
    const at = (this.#head + this.#size++) & (this.#times.length - 1);
    this.#times[at] = time;
    this.#callers[at] = caller;
    this.#costs[at] = admitted ? cost | ADMITTED : cost;

    const cells = records.cellsOf(caller);
    const base = records.baseOf(caller);
    const asked = (cells[base + ASKED_NOW] as number) + cost;
    cells[base + ASKED_NOW] = asked;
    if (asked > (cells[base + ASKED_PEAK] as number)) cells[base + ASKED_PEAK] = asked;
    if (!admitted) return;
    const got = (cells[base + ADMITTED_NOW] as number) + cost;
    cells[base + ADMITTED_NOW] = got;
    if (got > (cells[base + ADMITTED_PEAK] as number)) cells[base + ADMITTED_PEAK] = got;
  }

  #forget(records: CallerRecords): void {
    const caller = this.#callers[this.#head] as number;
    const entry = this.#costs[this.#head] as number;
    const cost = entry & COST;
    const cells = records.cellsOf(caller);
    const base = records.baseOf(caller);
    cells[base + ASKED_NOW] = (cells[base + ASKED_NOW] as number) - cost;
    if (entry >= ADMITTED) cells[base + ADMITTED_NOW] = (cells[base + ADMITTED_NOW] as number) - cost;
    this.#head = (this.#head + 1) & (this.#times.length - 1);
    this.#size -= 1;
  }

  #makeRoom(records: CallerRecords): void {
    const length = this.#times.length;
    if (length >= this.#most) {
      this.exact = false;
      this.#forget(records);
      return;
    }
    this.#times = unrolled(this.#times, this.#head, new Float64Array(2 * length));
    this.#callers = unrolled(this.#callers, this.#head, new Int32Array(2 * length));
    this.#costs = unrolled(this.#costs, this.#head, new Uint32Array(2 * length));
    this.#head = 0;
  }
}

/** A full ring, from its head on, at the beginning of a larger one. */
function unrolled<T extends Float64Array | Int32Array | Uint32Array>(ring: T, head: number, larger: T): T {
  larger.set(ring.subarray(head));
  larger.set(ring.subarray(0, head), ring.length - head);
  return larger;
}
