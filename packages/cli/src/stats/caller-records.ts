/** What is kept of each caller, 32 bytes in all, side by side so that a request touches one line of the processor's cache. */
export const REQUESTS = 0;
export const REJECTED = 1;
/** Rejections in a row, now. */
export const STREAK = 2;
export const LONGEST_STREAK = 3;
/** Units asked for within the last window. */
export const ASKED_NOW = 4;
export const ASKED_PEAK = 5;
/** Units admitted within the last window. */
export const ADMITTED_NOW = 6;
export const ADMITTED_PEAK = 7;

const WIDTH = 8;
const SEGMENT = 1 << 14;

/** Numbers about callers, in segments so that growing copies nothing. */
export class CallerRecords {
  readonly #segments: Uint32Array[] = [];

  /** The segment that a caller's numbers are in. */
  cellsOf(caller: number): Uint32Array {
    const segment = caller >>> 14;
    let cells = this.#segments[segment];
    if (cells === undefined) cells = this.#segments[segment] = new Uint32Array(SEGMENT * WIDTH);
    return cells;
  }

  /** Where in the segment they begin. */
  baseOf(caller: number): number {
    return (caller & (SEGMENT - 1)) * WIDTH;
  }

  /** One number of one caller. */
  get(caller: number, what: number): number {
    return this.#segments[caller >>> 14]?.[this.baseOf(caller) + what] ?? 0;
  }
}
