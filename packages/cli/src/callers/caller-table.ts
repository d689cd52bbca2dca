import { createHash } from "node:crypto";
import { RunError } from "../usage-error.ts";
import { Slots } from "./slots.ts";

/** Longer keys are kept as their beginning and digest, so that memory per caller is bounded. */
const LONGEST_KEY = 200;
const ARENA_SIZE = 1 << 20;
const MOST_ARENAS = 2 ** 32 / ARENA_SIZE;

/**
 * Numbers keys from 0 in the order of their arrival. A `Map` from text to number takes several times the memory,
 * and a text for each request: here an IPv4 address is its 32 bits, some 20 bytes a caller, and any other key
 * some bytes in a large buffer.
 */
export class CallerTable {
  readonly #addresses = new Slots();
  readonly #texts = new Slots();
  readonly #arenas: Buffer[] = [];
  #used = ARENA_SIZE;
  /** The address of a caller, or the place of its key: arena and offset as one number. */
  #places = new Uint32Array(1024);
  #isAddress = new Uint8Array(1024);
  #size = 0;
  readonly #scratch = Buffer.allocUnsafe(4 * LONGEST_KEY);

  /** How many keys there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of an IPv4 address, given in 32 bits. */
  internIpv4(address: number): number {
    const word = address | 0;
    let slot = this.#addresses.first(word);
    for (let caller = this.#addresses.number(slot); caller >= 0; caller = this.#addresses.number(slot)) {
      if (this.#addresses.word(slot) === word) return caller;
      slot = this.#addresses.next(slot);
    }
    const caller = this.#add(address >>> 0, 1);
    this.#addresses.put(slot, word, caller);
    return caller;
  }

  /** The number of a key that is some text. An IPv4 address as text is another key than its 32 bits. */
  internText(text: string): number {
    const key =
      text.length <= LONGEST_KEY
        ? text
        : `${text.slice(0, 64)}…#${createHash("sha256").update(text).digest("base64url")}`;
    const bytes = this.#scratch;
    const length = bytes.write(key, 0, "utf8");
    let hash = 0x811c9dc5 | 0;
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);

    let slot = this.#texts.first(hash);
    for (let caller = this.#texts.number(slot); caller >= 0; caller = this.#texts.number(slot)) {
      if (this.#texts.word(slot) === hash && this.#equals(caller, bytes, length)) return caller;
      slot = this.#texts.next(slot);
    }
    const caller = this.#add(this.#store(bytes, length), 0);
    this.#texts.put(slot, hash, caller);
    return caller;
  }

  /** The key with this number. */
  key(caller: number): string {
    const place = this.#places[caller] as number;
    if (this.#isAddress[caller] === 1)
      return `${place >>> 24}.${(place >>> 16) & 255}.${(place >>> 8) & 255}.${place & 255}`;
    const arena = this.#arenas[place >>> 20] as Buffer;
    const at = (place & (ARENA_SIZE - 1)) + 2;
    return arena.toString("utf8", at, at + arena.readUInt16LE(at - 2));
  }

  #equals(caller: number, bytes: Buffer, length: number): boolean {
    const place = this.#places[caller] as number;
    const arena = this.#arenas[place >>> 20] as Buffer;
    const at = (place & (ARENA_SIZE - 1)) + 2;
    if (arena.readUInt16LE(at - 2) !== length) return false;
    for (let i = 0; i < length; i++) if (arena[at + i] !== bytes[i]) return false;
    return true;
  }

  #add(place: number, isAddress: 0 | 1): number {
    const caller = this.#size++;
    if (caller === this.#places.length) {
      const places = new Uint32Array(2 * caller);
      const isAddresses = new Uint8Array(2 * caller);
      places.set(this.#places);
      isAddresses.set(this.#isAddress);
      this.#places = places;
      this.#isAddress = isAddresses;
    }
    this.#places[caller] = place;
    this.#isAddress[caller] = isAddress;
    return caller;
  }

  #store(bytes: Buffer, length: number): number {
    if (this.#used + 2 + length > ARENA_SIZE) {
      if (this.#arenas.length === MOST_ARENAS)
        throw new RunError("the callers' keys fill 4 GB: count by a shorter key");
      this.#arenas.push(Buffer.alloc(ARENA_SIZE));
      this.#used = 0;
    }
    const arena = this.#arenas.at(-1) as Buffer;
    const at = this.#used;
    arena.writeUInt16LE(length, at);
    bytes.copy(arena, at + 2, 0, length);
    this.#used = at + 2 + length;
    return (this.#arenas.length - 1) * ARENA_SIZE + at;
  }
}
