import { randomFillSync } from "node:crypto";

/** Spreads keys over 32 bits; equal keys give equal numbers. */
export type KeyHash = (key: string) => number;

/** Keys longer than this reuse the rows. */
const ROWS = 32;
const ROW_BITS = 8;

/**
 * Simple tabulation: each character selects a random word of its position's row, and the words are
 * combined by exclusive or. Who does not know the words cannot choose keys that collide, and every
 * bit of the result is as good as any other.
 *
 * @param fill - fills the words; a source of randomness that callers cannot foresee.
 */
export function seededKeyHash(fill: (words: Int32Array) => unknown = randomFillSync): KeyHash {
  let words: Int32Array | undefined;
  return (key) => {
    // Small stores never hash, so they never pay for the words.
    words ??= filled(fill);
    let hash = 0;
    for (let position = 0; position < key.length; position++) {
      const code = key.charCodeAt(position);
      const row = position & (ROWS - 1);
      if (row === 0 && position > 0) hash = scramble(hash);
      hash ^= words[(row << ROW_BITS) | (code & 255)] as number;
      // The upper half of a character has words of its own: those of the next row, turned by half.
      if (code > 255) {
        const upper = words[(((row + 1) & (ROWS - 1)) << ROW_BITS) | (code >>> 8)] as number;
        hash ^= (upper << 16) | (upper >>> 16);
      }
    }
    return hash;
  };
}

/** Before a row is used again, so that exchanging two characters that share one changes the result. */
function scramble(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
}

function filled(fill: (words: Int32Array) => unknown): Int32Array {
  const words = new Int32Array(ROWS << ROW_BITS);
  fill(words);
  return words;
}
