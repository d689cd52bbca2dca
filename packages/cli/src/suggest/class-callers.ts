/** The callers of one class, numbered from 0, so that each class keeps numbers about its own callers only. */
export class ClassCallers {
  /** For each caller of the log: its place in the class, plus 1. */
  #places = new Int32Array(1024);
  #callers = new Int32Array(256);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  placeOf(caller: number): number {
    if (caller >= this.#places.length) this.#places = extended(this.#places, 2 * Math.max(caller, this.#places.length));
    const place = (this.#places[caller] as number) - 1;
    return place >= 0 ? place : this.#add(caller);
  }

  /** The places of those callers for whom `wanted` holds. */
  places(wanted: (caller: number) => boolean): Uint32Array {
    const places = new Uint32Array(this.#size);
    let count = 0;
    for (let place = 0; place < this.#size; place++)
      if (wanted(this.#callers[place] as number)) places[count++] = place;
    return places.subarray(0, count);
  }

  #add(caller: number): number {
    const place = this.#size++;
    if (place === this.#callers.length) this.#callers = extended(this.#callers, 2 * place);
    this.#callers[place] = caller;
    this.#places[caller] = place + 1;
    return place;
  }
}

function extended(from: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(size);
  to.set(from);
  return to;
}
