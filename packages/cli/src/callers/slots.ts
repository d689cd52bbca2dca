/** An open hash table of pairs, a word and a number, that lie side by side: one look at memory finds both. */
export class Slots {
  /** Word and number plus 1, in turns; a number of 0 is an empty slot. */
  #cells = new Int32Array(2 * 1024);
  #mask = 1023;
  #size = 0;

  /** Where to look first for a word. */
  first(word: number): number {
    // Neighbouring addresses must not become neighbouring slots.
    const mixed = Math.imul(word ^ (word >>> 16), 0x45d9f3b);
    return (mixed ^ (mixed >>> 15)) & this.#mask;
  }

  /** Where to look next. */
  next(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  word(slot: number): number {
    return this.#cells[2 * slot] as number;
  }

  /** The number in a slot; -1 when it is empty. */
  number(slot: number): number {
    return (this.#cells[2 * slot + 1] as number) - 1;
  }

  /** Fills an empty slot. Slots found before are void afterwards. */
  put(slot: number, word: number, number: number): void {
    this.#cells[2 * slot] = word;
    this.#cells[2 * slot + 1] = number + 1;
    this.#size += 1;
    if (this.#size > 0.6 * (this.#mask + 1)) this.#double();
  }

  #double(): void {
    const cells = this.#cells;
    this.#cells = new Int32Array(2 * cells.length);
    this.#mask = 2 * this.#mask + 1;
    for (let i = 0; i < cells.length; i += 2) {
      if (cells[i + 1] === 0) continue;
      let slot = this.first(cells[i] as number);
      while (this.#cells[2 * slot + 1] !== 0) slot = this.next(slot);
      this.#cells[2 * slot] = cells[i] as number;
      this.#cells[2 * slot + 1] = cells[i + 1] as number;
    }
  }
}
