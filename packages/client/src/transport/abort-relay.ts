/** The tie between a source signal and a controller. */
export interface Connection {
  /** Lets go of the controller before the source aborts. */
  release(): void;
  /** Keeps the controller connected for as long as anyone holds `holder`; by itself it is held weakly. */
  keepWith(holder: object): void;
}

const UNTIED: Connection = { release: () => {}, keepWith: () => {} };

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
  connect(source: AbortSignal, controller: AbortController): Connection {
    if (source.aborted) {
      controller.abort(source.reason);
      return UNTIED;
    }
    let hub = this.#hubs.get(source);
    if (hub === undefined) this.#hubs.set(source, (hub = new Hub(source)));
    return hub.add(controller);
  }
}

class Hub {
  readonly #signal: AbortSignal;
  readonly #controllers = new Set<WeakRef<AbortController>>();
  /** Here, and not at the client, because the client may be gone while a body is still read. */
  readonly #kept = new WeakMap<object, AbortController>();
  readonly #collected = new FinalizationRegistry<WeakRef<AbortController>>((reference) => this.#remove(reference));
  readonly #onAbort = (): void => {
    for (const reference of this.#controllers) reference.deref()?.abort(this.#signal.reason);
    this.#controllers.clear();
  };

  constructor(source: AbortSignal) {
    // Browsers before 2024 lack AbortSignal.any; there the source itself bears the listener.
    this.#signal = typeof AbortSignal.any === "function" ? AbortSignal.any([source]) : source;
  }

  add(controller: AbortController): Connection {
    // A derived signal with a listener lives as long as the process: it has one only while somebody waits.
    if (this.#controllers.size === 0) this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    const reference = new WeakRef(controller);
    this.#controllers.add(reference);
    this.#collected.register(controller, reference, reference);
    return {
      release: () => {
        this.#collected.unregister(reference);
        this.#remove(reference);
      },
      keepWith: (holder) => this.#kept.set(holder, controller),
    };
  }

  #remove(reference: WeakRef<AbortController>): void {
    this.#controllers.delete(reference);
    if (this.#controllers.size === 0) this.#signal.removeEventListener("abort", this.#onAbort);
  }
}
