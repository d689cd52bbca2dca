/** Limits per window that are tried for buckets: nobody wants a limit of 137. */
export const RATES: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];

const SEGMENT = 1 << 12;

/** Whole numbers of a caller: the index of its window, requests in the window before and in this one, the peak, all requests. */
const [WINDOW, PREVIOUS, CURRENT, PEAK, REQUESTS] = [0, 1, 2, 3, 4] as const;
const COUNTS = 5;

/** What one segment of callers has asked for. */
interface Segment {
  readonly counts: Uint32Array;
  /** When each caller's bucket levels were last brought up to date. */
  readonly times: Float64Array;
  /** For each caller and rate: units in the bucket. */
  readonly levels: Float32Array;
  /** For each caller and rate: the most units there ever were. */
  readonly peaks: Float32Array;
}

/**
 * Finds the least limit under which each caller would never have been rejected. Nobody is rejected under a limit
 * that is never reached, so what counts is what the limiter would count if it admitted everything:
 * for the sliding-window counter its estimate at each request; for a bucket that drains at some rate,
 * how full it gets. A caller takes about 140 bytes.
 */
export class Demand {
  readonly #window: number;
  readonly #segments: Segment[] = [];
  /** Requests in all. */
  requests = 0;

  constructor(window: number) {
    this.#window = window;
  }

  /** @param time - whole epoch ms, never before the last. */
  add(time: number, caller: number): void {
    this.requests += 1;
    const segment = (this.#segments[Math.floor(caller / SEGMENT)] ??= newSegment());
    const at = caller % SEGMENT;
    this.#count(segment.counts, at * COUNTS, time);
    this.#fill(segment, at, time);
  }

  /** How many requests the caller made. */
  requestsOf(caller: number): number {
    return this.#count0(caller, REQUESTS);
  }

  /** The least limit of a sliding-window counter that would never have rejected the caller. */
  limitFor(caller: number): number {
    return this.#count0(caller, PEAK);
  }

  /** The least burst of a bucket with the limit `RATES[rate]` that would never have rejected the caller. */
  burstFor(caller: number, rate: number): number {
    const peak = this.#segments[Math.floor(caller / SEGMENT)]?.peaks[(caller % SEGMENT) * RATES.length + rate] ?? 0;
    // Single precision: what is whole may be off by a few millionths.
    return Math.ceil(peak * (1 - 1e-6));
  }

  #count0(caller: number, what: number): number {
    return this.#segments[Math.floor(caller / SEGMENT)]?.counts[(caller % SEGMENT) * COUNTS + what] ?? 0;
  }

  #count(counts: Uint32Array, base: number, time: number): void {
    const window = Math.floor(time / this.#window);
    const passed = window - (counts[base + WINDOW] as number);
    if (passed !== 0) {
      counts[base + PREVIOUS] = passed === 1 ? (counts[base + CURRENT] as number) : 0;
      counts[base + CURRENT] = 0;
      counts[base + WINDOW] = window;
    }
    const left = this.#window - (time % this.#window);
    const current = (counts[base + CURRENT] as number) + 1;
    const estimate = Math.floor(((counts[base + PREVIOUS] as number) * left) / this.#window) + current;
    counts[base + CURRENT] = current;
    if (estimate > (counts[base + PEAK] as number)) counts[base + PEAK] = estimate;
    counts[base + REQUESTS] = (counts[base + REQUESTS] as number) + 1;
  }

  #fill({ times, levels, peaks }: Segment, at: number, time: number): void {
    const windows = (time - (times[at] as number)) / this.#window;
    times[at] = time;
    const base = at * RATES.length;
    for (let rate = 0; rate < RATES.length; rate++) {
      const level = Math.max(0, (levels[base + rate] as number) - windows * (RATES[rate] as number)) + 1;
      levels[base + rate] = level;
      if (level > (peaks[base + rate] as number)) peaks[base + rate] = level;
    }
  }
}

function newSegment(): Segment {
  return {
    counts: new Uint32Array(SEGMENT * COUNTS),
    times: new Float64Array(SEGMENT),
    levels: new Float32Array(SEGMENT * RATES.length),
    peaks: new Float32Array(SEGMENT * RATES.length),
  };
}
