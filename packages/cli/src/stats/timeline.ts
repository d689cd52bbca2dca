/** Slots become longer when there would be more. */
const MOST_SLOTS = 1_200;

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000] as const;
/** Each a multiple of the one before. */
const LENGTHS: readonly number[] = [
  100,
  200,
  SECOND,
  5 * SECOND,
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  24 * HOUR,
  168 * HOUR,
];

/** Requests and rejections over time: as fine as fits into a thousand slots or so. */
export class Timeline {
  /** The start of the first slot, epoch ms. */
  start = 0;
  /** Slots in use. */
  length = 0;
  readonly requests: Float64Array = new Float64Array(MOST_SLOTS);
  readonly rejected: Float64Array = new Float64Array(MOST_SLOTS);
  #rank = 0;

  /** Length of a slot in ms. */
  get slot(): number {
    return LENGTHS[this.#rank] ?? (LENGTHS.at(-1) as number) * 2 ** (this.#rank - LENGTHS.length + 1);
  }

  /** @param time - never before the first. */
  add(time: number, admitted: boolean): void {
    if (this.length === 0) this.start = time - (time % this.slot);
    let index = Math.floor((time - this.start) / this.slot);
    while (index >= MOST_SLOTS) {
      this.#lengthen();
      index = Math.floor((time - this.start) / this.slot);
    }
    if (index >= this.length) this.length = index + 1;
    this.requests[index] = (this.requests[index] as number) + 1;
    if (!admitted) this.rejected[index] = (this.rejected[index] as number) + 1;
  }

  #lengthen(): void {
    const { start, slot, length } = this;
    this.#rank += 1;
    this.start = start - (start % this.slot);
    this.length = 0;
    for (let i = 0; i < length; i++) {
      const index = Math.floor((start + i * slot - this.start) / this.slot);
      if (index >= this.length) this.length = index + 1;
      for (const series of [this.requests, this.rejected]) {
        const count = series[i] as number;
        series[i] = 0;
        series[index] = (series[index] as number) + count;
      }
    }
  }
}
