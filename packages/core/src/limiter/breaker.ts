/** How a {@link Breaker} reports; each transition once. */
export interface BreakerEvents {
  opened(error: unknown): void;
  closed(): void;
}

/**
 * Spares a failing store: after `threshold` failures in a row it opens, and decisions go elsewhere
 * at once; a probe in the background closes it again.
 */
export class Breaker {
  readonly #probe: () => Promise<unknown>;
  readonly #events: BreakerEvents;
  readonly #threshold: number;
  readonly #intervalMs: number;
  #failures = 0;
  #open = false;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(probe: () => Promise<unknown>, events: BreakerEvents, threshold: number, intervalMs: number) {
    this.#probe = probe;
    this.#events = events;
    this.#threshold = threshold;
    this.#intervalMs = intervalMs;
  }

  get open(): boolean {
    return this.#open;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(error: unknown): void {
    this.#failures++;
    if (this.#open || this.#stopped || this.#failures < this.#threshold) return;
    this.#open = true;
    this.#schedule();
    this.#events.opened(error);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#try(), this.#intervalMs).unref();
  }

  async #try(): Promise<void> {
    try {
      await this.#probe();
    } catch {
      if (!this.#stopped) this.#schedule();
      return;
    }
    if (this.#stopped) return;
    this.#open = false;
    this.#failures = 0;
    this.#events.closed();
  }
}
