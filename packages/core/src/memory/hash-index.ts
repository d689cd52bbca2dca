/** Low bits of a word: the slot plus one, so that no word in use is 0. The others are the hash's own, and spare most looks at keys. */
const SLOT_BITS = 15;
const SLOT_MASK: number = 2 ** SLOT_BITS - 1;

/** The most slots that an index can number. */
export const MOST_SLOTS: number = 2 ** (SLOT_BITS - 1);

/**
 * Finds the slot of a key: open addressing with linear probing, half empty at its fullest. A word holds
 * slot and hash bits together, so that a look-up costs one access to memory here, one to the list of
 * keys and one to the key itself.
 */
export class HashIndex {
  readonly #words: Int32Array;
  /** Hash of each slot's key, so that neither moving a word nor splitting a segment reads keys. */
  #hashes: Int32Array;

  /** @param slots - a power of two, at most {@link MOST_SLOTS}. */
  constructor(slots: number) {
    this.#words = new Int32Array(2 * slots);
    this.#hashes = new Int32Array(Math.min(slots, 16));
  }

  /** The slot of `key`, or -1; `keys` are the keys by slot. */
  find(key: string, hash: number, keys: readonly string[]): number {
    const words = this.#words;
    const mask = words.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const word = words[at] as number;
      if (word === 0) return -1;
      if ((word ^ hash) >>> SLOT_BITS !== 0) continue;
      const slot = (word & SLOT_MASK) - 1;
      if (keys[slot] === key) return slot;
    }
  }

  hashAt(slot: number): number {
    return this.#hashes[slot] as number;
  }

  add(hash: number, slot: number): void {
    this.#hashes = withRoomFor(slot, this.#hashes, this.#words.length / 2);
    this.#hashes[slot] = hash;
    const words = this.#words;
    const mask = words.length - 1;
    let at = hash & mask;
    while (words[at] !== 0) at = (at + 1) & mask;
    words[at] = wordOf(hash, slot);
  }

  /** Forgets a slot. Later words move up, so there are no graves and no rebuilding. */
  remove(slot: number): void {
    const words = this.#words;
    const mask = words.length - 1;
    let hole = this.#placeOf(slot);
    for (let at = (hole + 1) & mask; words[at] !== 0; at = (at + 1) & mask) {
      const home = this.hashAt(((words[at] as number) & SLOT_MASK) - 1) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      words[hole] = words[at] as number;
      hole = at;
    }
    words[hole] = 0;
  }

  /** What had slot `from` has slot `to` from now on. */
  move(from: number, to: number): void {
    const hash = this.hashAt(from);
    this.#words[this.#placeOf(from)] = wordOf(hash, to);
    this.#hashes[to] = hash;
  }

  #placeOf(slot: number): number {
    const words = this.#words;
    const mask = words.length - 1;
    const hash = this.hashAt(slot);
    const word = wordOf(hash, slot);
    let at = hash & mask;
    while (words[at] !== word) at = (at + 1) & mask;
    return at;
  }
}

function wordOf(hash: number, slot: number): number {
  return (hash & ~SLOT_MASK) | (slot + 1);
}

function withRoomFor(slot: number, hashes: Int32Array, most: number): Int32Array {
  if (slot < hashes.length) return hashes;
  const grown = new Int32Array(Math.min(most, grownBy(slot)));
  grown.set(hashes);
  return grown;
}

/** Room for a quarter more: each copy is paid for by the additions before it, and little is left unused. */
export function grownBy(count: number): number {
  return count + (count >> 2) + 8;
}
