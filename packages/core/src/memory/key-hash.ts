import { randomFillSync } from "node:crypto";

/** Characters that have a factor of their own; those of longer keys take turns. */
const FACTORS = 256;

// Looked up once: in a context of node:vm, where test runners run code, every look at a global is slow.
const { imul } = Math;

/**
 * Multilinear hashing: every character, and the length, has a secret random factor, and the products
 * are summed. Whatever keys someone chooses without knowing the factors, they collide by chance alone.
 */
export class KeyHash {
  readonly #factors: Int32Array = new Int32Array(FACTORS + 1);

  /** @param fill - fills the factors; a source of randomness that callers cannot foresee. */
  constructor(fill: (factors: Int32Array) => unknown = randomFillSync) {
    fill(this.#factors);
  }

  /** Any 32 bits but 0; equal for equal keys. */
  of(key: string): number {
    const factors = this.#factors;
    const { length } = key;
    if (length > FACTORS) return this.#ofLong(key);
    // Two sums that don't wait for each other.
    let even = imul(length + 1, factors[FACTORS] as number);
    let odd = 0;
    let at = 0;
    for (; at + 1 < length; at += 2) {
      even = (even + imul(key.charCodeAt(at), factors[at] as number)) | 0;
      odd = (odd + imul(key.charCodeAt(at + 1), factors[at + 1] as number)) | 0;
    }
    if (at < length) even = (even + imul(key.charCodeAt(at), factors[at] as number)) | 0;
    return scramble(even + odd) || 1;
  }

  /** The parts are chained, so that they cannot be exchanged. */
  #ofLong(key: string): number {
    let hash = 0;
    for (let at = 0; at < key.length; at += FACTORS) hash = scramble(hash + this.of(key.slice(at, at + FACTORS)));
    return hash || 1;
  }
}

/** Lets every bit depend on all others, one to one; the low bits of a product know only the low bits of its factors. */
function scramble(sum: number): number {
  const half = imul(sum ^ (sum >>> 16), 0x7feb352d);
  const mixed = imul(half ^ (half >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
