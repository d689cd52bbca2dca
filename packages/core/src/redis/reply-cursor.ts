import { StoreError } from "../domain/errors.ts";

/** Reads the flat reply of a script from front to back. Clients may spell numbers and texts in their own ways. */
export class ReplyCursor {
  readonly #values: readonly unknown[];
  #next = 0;

  /** @throws {@link StoreError} `ERR_AFORO_STORE_REPLY` for anything but an array. */
  constructor(reply: unknown) {
    if (!Array.isArray(reply)) throw unreadable(reply);
    this.#values = reply;
  }

  get done(): boolean {
    return this.#next >= this.#values.length;
  }

  /** The next whole number. */
  number(): number {
    const value = this.#values[this.#next++];
    if (typeof value === "number") return value;
    const number = value === null || value === undefined || value === "" ? NaN : Number(String(value));
    if (Number.isSafeInteger(number)) return number;
    throw unreadable(value);
  }

  /** The text that stands next if it begins so, without its first letter; then it is read. */
  text(letter: string): string | undefined {
    const value = this.#values[this.#next];
    if (typeof value === "number" || value === null || value === undefined) return undefined;
    const text = String(value);
    if (text[0] !== letter) return undefined;
    this.#next++;
    return text.slice(1);
  }
}

export function unreadable(value: unknown): StoreError {
  return new StoreError(
    "ERR_AFORO_STORE_REPLY",
    `Redis answered something unexpected: ${JSON.stringify(value) ?? String(value)}`,
  );
}
