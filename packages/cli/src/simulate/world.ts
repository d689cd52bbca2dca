import { Heap } from "heap-js";

/** A request that somebody makes. */
export interface Asking {
  readonly ip: string;
  readonly user?: string;
  /** The traffic that it belongs to, by its place on the command line. */
  readonly traffic: number;
}

/** What the server answers. */
export interface Answer {
  readonly admitted: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

interface Event {
  readonly time: number;
  /** Events of one moment happen in the order in which they were planned. */
  readonly order: number;
  run(): void;
}

/** Made-up time: whatever is planned happens in its order, and nothing waits. */
export class World {
  readonly #events = new Heap<Event>((a, b) => a.time - b.time || a.order - b.order);
  /** When made-up time begins, epoch ms. */
  readonly startedAt: number;
  readonly #server: (asking: Asking, now: number) => Answer;
  #planned = 0;
  /** Ms since the start, with fractions. */
  now = 0;
  /** When the traffic ends, in ms. */
  readonly end: number;
  /** Set while somebody acts through promises, which then get to run between two events. */
  hasPromises = false;

  constructor(startedAt: number, end: number, server: (asking: Asking, now: number) => Answer) {
    this.startedAt = startedAt;
    this.end = end;
    this.#server = server;
  }

  /** Plans something, unless it would be after the end. */
  at(time: number, run: () => void): void {
    if (time < this.end) this.#events.push({ time, order: this.#planned++, run });
  }

  request(asking: Asking): Answer {
    return this.#server(asking, this.now);
  }

  async run(): Promise<void> {
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      this.now = event.time;
      event.run();
      if (this.hasPromises) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
