import { createHash } from "node:crypto";

/** Longer keys are kept as their beginning and digest, so that memory per caller is bounded. */
const LONGEST_KEY = 200;
const ARENA_SIZE = 1 << 20;

/**
 * Numbers keys from 0 in the order of their arrival. A `Map` from text to number takes three times
 * the memory and a text for each request: here keys are bytes in large buffers, found through a hash
 * table with open addressing, some 35 bytes a caller with a short key.
 */
export class CallerTable {
  #arenas: Buffer[] = [];
  #used = ARENA_SIZE;
  /** Where each key lies: arena and offset, as one number. */
  #places = new Uint32Array(1024);
  #hashes = new Int32Array(1024);
  /** Each slot holds a caller's number plus 1, or 0. */
  #slots = new Int32Array(2048);
  #size = 0;
  readonly #scratch = Buffer.allocUnsafe(4 * LONGEST_KEY);

  /** How many keys there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of a key that is some text. */
  internText(text: string): number {
    const key = text.length <= LONGEST_KEY ? text : `${text.slice(0, 64)}…#${createHash("sha256").update(text).digest("base64url")}`;
    return this.intern(this.#scratch, 0, this.#scratch.write(key, 0, "utf8"));
  }

  /** The number of a key of at most 200 bytes, given in UTF-8. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const found = (this.#slots[slot] as number) - 1;
      if (found < 0) return this.#add(bytes, start, end, hash, slot);
      if (this.#hashes[found] === hash && this.#equals(found, bytes, start, end)) return found;
    }
  }

  /** The key with this number. */
  key(caller: number): string {
    const place = this.#places[caller] as number;
    const arena = this.#arenas[Math.floor(place / ARENA_SIZE)] as Buffer;
    const at = (place % ARENA_SIZE) + 2;
    return arena.toString("utf8", at, at + arena.readUInt16LE(at - 2));
  }

  #equals(caller: number, bytes: Uint8Array, start: number, end: number): boolean {
    const place = this.#places[caller] as number;
    const arena = this.#arenas[place >>> 20] as Buffer;
    const at = place & (ARENA_SIZE - 1);
    const length = (arena[at] as number) | ((arena[at + 1] as number) << 8);
    if (length !== end - start) return false;
    for (let i = 0; i < length; i++) if (arena[at + 2 + i] !== bytes[start + i]) return false;
    return true;
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const caller = this.#size++;
    if (caller === this.#places.length) {
      this.#places = grown(this.#places, new Uint32Array(2 * caller));
      this.#hashes = grown(this.#hashes, new Int32Array(2 * caller));
    }
    this.#places[caller] = this.#store(bytes, start, end);
    this.#hashes[caller] = hash;
    this.#slots[slot] = caller + 1;
    if (2 * this.#size > this.#slots.length) this.#rehash();
    return caller;
  }

  #store(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (this.#used + 2 + length > ARENA_SIZE) {
      this.#arenas.push(Buffer.alloc(ARENA_SIZE));
      this.#used = 0;
    }
    const arena = this.#arenas[this.#arenas.length - 1] as Buffer;
    const at = this.#used;
    arena.writeUInt16LE(length, at);
    for (let i = 0; i < length; i++) arena[at + 2 + i] = bytes[start + i] as number;
    this.#used = at + 2 + length;
    return (this.#arenas.length - 1) * ARENA_SIZE + at;
  }

  #rehash(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let caller = 0; caller < this.#size; caller++) {
      let slot = (this.#hashes[caller] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = caller + 1;
    }
    this.#slots = slots;
  }
}

function grown<T extends Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
