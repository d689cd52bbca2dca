/** Requests held back to be put in order; the oldest leaves early when there would be more. */
const MOST_HELD = 1 << 20;

/**
 * Puts requests in the order of their time. Servers write a line when a response ends, some with the
 * time at which the request began, so lines come late by as much as requests take.
 *
 * Each request waits until one is read that is more than `reorderMs` younger. What comes later than that is
 * decided at the time of the last one that left: a limiter's clock never goes back either.
 *
 * A request is a time and `width` whole numbers.
 */
export class EntryQueue {
  readonly width: number;
  readonly #reorderMs: number;
  readonly #spread: boolean;
  #times = new Float64Array(1024);
  #words: Int32Array;
  #extras: unknown[] = [];
  #head = 0;
  #tail = 0;
  #newest = -1;
  #last = -1;
  #spreadUntil = 0;

  /** Lines whose time is before that of the line above them. */
  outOfOrder = 0;
  /** Lines that came so late that their time had to be changed. */
  late = 0;
  /** The most by which a line was late, in ms. */
  latest = 0;

  /** @param spread - whether the requests of one stamp, which is a whole second, are spread over that second. */
  constructor(width: number, reorderMs: number, spread: boolean) {
    this.width = width;
    this.#reorderMs = spread ? Math.max(reorderMs, 1_000) : reorderMs;
    this.#spread = spread;
    this.#words = new Int32Array(1024 * width);
  }

  get size(): number {
    return this.#tail - this.#head;
  }

  /** @param extra - whatever else belongs to the request. */
  push(time: number, words: Int32Array, extra: unknown): void {
    if (this.#tail === this.#times.length) this.#makeRoom();
    let at = this.#tail++;
    if (time >= this.#newest) this.#newest = time;
    else at = this.#placeOf(time, at);
    this.#times[at] = time;
    const base = at * this.width;
    for (let i = 0; i < this.width; i++) this.#words[base + i] = words[i] as number;
    if (extra !== undefined || this.#extras.length > 0) this.#insertExtra(at, extra);
  }

  /** Whether the oldest request may leave now; `ended` says that no more will come. */
  ready(ended: boolean): boolean {
    if (this.#head === this.#tail) return false;
    return ended || this.#newest - (this.#times[this.#head] as number) > this.#reorderMs || this.size >= MOST_HELD;
  }

  /** The time at which the oldest request is decided. */
  headTime(): number {
    const time = this.#times[this.#head] as number;
    if (this.#spread && this.#head >= this.#spreadUntil && time % 1_000 === 0) this.#spreadSecond(time);
    return Math.max(this.#times[this.#head] as number, this.#last);
  }

  /** Removes the oldest request; `words` is filled with its numbers. Returns its extra. */
  shift(words: Int32Array): unknown {
    this.#last = this.headTime();
    const base = this.#head * this.width;
    for (let i = 0; i < this.width; i++) words[i] = this.#words[base + i] as number;
    const extra = this.#extras[this.#head];
    this.#head += 1;
    return extra;
  }

  #placeOf(time: number, end: number): number {
    this.outOfOrder += 1;
    this.latest = Math.max(this.latest, this.#newest - time);
    if (time < this.#last) this.late += 1;
    let at = end;
    while (at > this.#head && (this.#times[at - 1] as number) > time) at--;
    this.#times.copyWithin(at + 1, at, end);
    this.#words.copyWithin((at + 1) * this.width, at * this.width, end * this.width);
    return at;
  }

  #insertExtra(at: number, extra: unknown): void {
    if (this.#extras.length < this.#tail - 1) this.#extras.length = this.#tail - 1;
    this.#extras.splice(at, 0, extra);
  }

  #spreadSecond(second: number): void {
    let end = this.#head;
    while (end < this.#tail && this.#times[end] === second) end++;
    const count = end - this.#head;
    for (let i = 0; i < count; i++) this.#times[this.#head + i] = second + Math.floor((i * 1_000) / count);
    this.#spreadUntil = end;
  }

  #makeRoom(): void {
    const size = this.size;
    const { width } = this;
    if (2 * size > this.#times.length) {
      const times = new Float64Array(2 * this.#times.length);
      const words = new Int32Array(2 * this.#words.length);
      times.set(this.#times.subarray(this.#head, this.#tail));
      words.set(this.#words.subarray(this.#head * width, this.#tail * width));
      this.#times = times;
      this.#words = words;
    } else {
      this.#times.copyWithin(0, this.#head, this.#tail);
      this.#words.copyWithin(0, this.#head * width, this.#tail * width);
    }
    this.#extras.splice(0, this.#head);
    this.#spreadUntil -= this.#head;
    this.#head = 0;
    this.#tail = size;
  }
}
