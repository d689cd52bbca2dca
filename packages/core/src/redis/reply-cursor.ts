import { StoreError, got } from "../domain/errors.ts";

/** Base of the numbers, and the first of the digits that end one and of those that do not; `number.lua` writes them. */
const BASE = 44;
const LAST_DIGIT = 37;
const DIGIT = LAST_DIGIT + BASE;

/** What stands before a number that is out of the ordinary. */
export const MARKS = {
  /** Why a key could not be read: the length of a text, and the text. Stands in the place of all others. */
  failure: 0x21,
  /** How many ms the state's time is ahead of the store's. */
  ahead: 0x22,
  /** How many ms the key is blocked for. */
  blocked: 0x23,
  /** sliding-window-counter: units of the window before. */
  previous: 0x24,
} as const;

/** Reads the reply of a script from front to back. */
export class ReplyCursor {
  readonly #text: string;
  #next = 0;

  /** @throws {@link StoreError} `ERR_AFORO_STORE_REPLY` for anything but a text; clients may give its bytes. */
  constructor(reply: unknown) {
    const text = reply instanceof Uint8Array ? Buffer.from(reply).toString("latin1") : reply;
    if (typeof text !== "string") throw unreadable(reply);
    this.#text = text;
  }

  /** The store's time, which comes first: seconds and microseconds of a server, or milliseconds and nothing. */
  time(): number {
    const [first, second] = [this.#word(), this.#word()];
    const ms = second === "" ? Number(first || NaN) : Number(first || NaN) * 1_000 + Math.floor(Number(second) / 1_000);
    if (Number.isSafeInteger(ms)) return ms;
    throw unreadable(this.#text);
  }

  #word(): string {
    const end = this.#text.indexOf(" ", this.#next);
    const word = this.#text.slice(this.#next, Math.max(end, this.#next));
    this.#next = end < 0 ? this.#text.length : end + 1;
    return word;
  }

  get done(): boolean {
    return this.#next >= this.#text.length;
  }

  number(): number {
    let number = 0;
    for (let unit = 1; ; unit *= BASE) {
      const code = this.#text.charCodeAt(this.#next++);
      if (code >= LAST_DIGIT && code < DIGIT) return number + (code - LAST_DIGIT) * unit;
      // The end of the text reads as NaN, which is no digit either.
      if (!(code >= DIGIT && code < DIGIT + BASE)) throw unreadable(this.#text);
      number += (code - DIGIT) * unit;
    }
  }

  /** Whether this mark stands next; then it is passed. */
  passes(mark: number): boolean {
    if (this.#text.charCodeAt(this.#next) !== mark) return false;
    this.#next++;
    return true;
  }

  /** The number after a mark; 0 where the mark is not next. */
  marked(mark: number): number {
    return this.passes(mark) ? this.number() : 0;
  }

  /** The text of a failure, where one is next. */
  failure(): string | undefined {
    if (!this.passes(MARKS.failure)) return undefined;
    const length = this.number();
    const from = this.#next;
    this.#next += length;
    return this.#text.slice(from, this.#next);
  }
}

export function unreadable(value: unknown): StoreError {
  return new StoreError("ERR_AFORO_STORE_REPLY", `Redis answered something unexpected, ${got(value)}`);
}
