/** Finds the most requests in any stretch of a given length, wherever it begins. */
export class RatePeak {
  readonly #length: number;
  /** Times, and how many requests each had, in a ring. */
  #times = new Float64Array(64);
  #counts = new Uint32Array(64);
  #head = 0;
  #size = 0;
  #now = 0;
  #newest = -1;
  /** The most requests. */
  most = 0;
  /** When the stretch that had them ended, epoch ms. */
  at = 0;

  /** @param length - in ms. */
  constructor(length: number) {
    this.#length = length;
  }

  /** @param time - whole ms, never before the last. */
  add(time: number): void {
    const mask = this.#times.length - 1;
    if (time === this.#newest) {
      const last = (this.#head + this.#size - 1) & mask;
      this.#counts[last] = (this.#counts[last] as number) + 1;
    } else this.#append(time);
    this.#now += 1;
    if (this.#now <= this.most) return;
    this.most = this.#now;
    this.at = time;
  }

  #append(time: number): void {
    this.#newest = time;
    const oldest = time - this.#length;
    while (this.#size > 0 && (this.#times[this.#head] as number) <= oldest) {
      this.#now -= this.#counts[this.#head] as number;
      this.#head = (this.#head + 1) & (this.#times.length - 1);
      this.#size -= 1;
    }
    if (this.#size === this.#times.length) this.#grow();
    const at = (this.#head + this.#size++) & (this.#times.length - 1);
    this.#times[at] = time;
    this.#counts[at] = 1;
  }

  /** There are at most as many entries as the stretch has milliseconds. */
  #grow(): void {
    const length = this.#times.length;
    const times = new Float64Array(2 * length);
    const counts = new Uint32Array(2 * length);
    for (let i = 0; i < length; i++) {
      times[i] = this.#times[(this.#head + i) & (length - 1)] as number;
      counts[i] = this.#counts[(this.#head + i) & (length - 1)] as number;
    }
    this.#times = times;
    this.#counts = counts;
    this.#head = 0;
  }
}
