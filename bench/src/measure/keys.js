// Keys as HTTP gives them: addresses, each time as a new string that nobody has hashed yet.

/** Texts of addresses, from which new strings are cut. */
export class FreshKeys {
  #bytes;
  #ends;

  /** @param {number} count how many different keys there are */
  constructor(count) {
    this.count = count;
    this.#ends = new Uint32Array(count + 1);
    this.#bytes = Buffer.allocUnsafe(count * 18);
    for (let index = 0; index < count; index++) {
      const text = `ip:${10 + (index >>> 24)}.${(index >>> 16) & 255}.${(index >>> 8) & 255}.${index & 255}`;
      const start = this.#ends[index] ?? 0;
      this.#ends[index + 1] = start + this.#bytes.write(text, start, "latin1");
    }
  }

  /** @param {number} index */
  at(index) {
    return this.#bytes.toString("latin1", this.#ends[index], this.#ends[index + 1]);
  }
}

/**
 * A stream of indexes below `count`, the same in every process.
 * @param {number} count
 * @param {"uniform" | "zipf"} distribution "zipf": the k-th most frequent comes a k-th as often as the first
 */
export function indexes(count, distribution = "uniform", size = 1 << 20) {
  const random = randomNumbers(42);
  const drawn = new Uint32Array(size);
  if (distribution === "uniform") {
    for (let at = 0; at < size; at++) drawn[at] = random() * count;
    return drawn;
  }
  const cumulated = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) cumulated[rank] = sum += 1 / (rank + 1);
  for (let at = 0; at < size; at++) {
    // Ranks are spread over the keys, so that frequent ones are not neighbours in memory.
    drawn[at] = (firstAbove(cumulated, random() * sum) * 7_919) % count;
  }
  return drawn;
}

/**
 * @param {Float64Array} ascending
 * @param {number} value
 */
function firstAbove(ascending, value) {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (/** @type {number} */ (ascending[middle]) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Numbers from 0 to 1 that look random (mulberry32).
 * @param {number} seed
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
