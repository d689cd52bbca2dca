/** A map that forgets its least recently used idle entries above a size, so that made-up keys cannot fill the memory. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #limit: number;
  readonly #isIdle: (value: V) => boolean;

  constructor(limit: number, isIdle: (value: V) => boolean) {
    this.#limit = limit;
    this.#isIdle = isIdle;
  }

  get size(): number {
    return this.#entries.size;
  }

  getOrCreate(key: K, create: () => V): V {
    const found = this.#entries.get(key);
    const value = found ?? create();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (found === undefined && this.#entries.size > this.#limit) this.#forgetOne(key);
    return value;
  }

  values(): IterableIterator<V> {
    return this.#entries.values();
  }

  #forgetOne(fresh: K): void {
    for (const [key, value] of this.#entries) {
      if (key === fresh || !this.#isIdle(value)) continue;
      this.#entries.delete(key);
      return;
    }
  }
}
