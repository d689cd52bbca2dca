/** Lets go of a controller before its source aborts. */
export type Release = () => void;

/**
 * Aborts controllers when a source signal does, without holding on to either.
 *
 * A call must stay abortable while its body is read, which nobody reports the end of. A listener per call on the
 * caller's signal would therefore stay until the response is collected, and so would a growing list inside a long-lived
 * signal with one `AbortSignal.any` per call (Node 20 and 22 never shorten it). Hence one derived signal per source, and
 * weak references to the controllers behind it.
 */
export class AbortRelay {
  readonly #hubs = new WeakMap<AbortSignal, Hub>();

  /** Aborts `controller` with the source's reason, now or later, until released or collected. */
  connect(source: AbortSignal, controller: AbortController): Release {
    if (source.aborted) {
      controller.abort(source.reason);
      return () => {};
    }
    let hub = this.#hubs.get(source);
    if (hub === undefined) this.#hubs.set(source, (hub = new Hub(source)));
    return hub.add(controller);
  }
}

class Hub {
  readonly #signal: AbortSignal;
  readonly #controllers = new Set<WeakRef<AbortController>>();
  readonly #collected = new FinalizationRegistry<WeakRef<AbortController>>((reference) => this.#remove(reference));
  readonly #onAbort = (): void => {
    for (const reference of this.#controllers) reference.deref()?.abort(this.#signal.reason);
    this.#controllers.clear();
  };

  constructor(source: AbortSignal) {
    // Browsers before 2024 lack AbortSignal.any; there the source itself bears the listener.
    this.#signal = typeof AbortSignal.any === "function" ? AbortSignal.any([source]) : source;
  }

  add(controller: AbortController): Release {
    // A derived signal with a listener lives as long as the process: it has one only while somebody waits.
    if (this.#controllers.size === 0) this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    const reference = new WeakRef(controller);
    this.#controllers.add(reference);
    this.#collected.register(controller, reference, reference);
    return () => {
      this.#collected.unregister(reference);
      this.#remove(reference);
    };
  }

  #remove(reference: WeakRef<AbortController>): void {
    this.#controllers.delete(reference);
    if (this.#controllers.size === 0) this.#signal.removeEventListener("abort", this.#onAbort);
  }
}
