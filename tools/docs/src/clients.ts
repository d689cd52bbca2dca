import { once } from "node:events";
import { Redis } from "ioredis";

/** The Redis clients that snippets opened, so that they can be closed as an application would. */
export class Clients {
  readonly #opened = new Set<Redis>();
  readonly #connect = Redis.prototype.connect;

  constructor() {
    const opened = this.#opened;
    const connect = this.#connect;
    Redis.prototype.connect = function (this: Redis): Promise<void> {
      opened.add(this);
      return connect.call(this);
    };
  }

  /** Resolves when those that are connecting have connected, so that the next block finds them so. */
  async ready(): Promise<void> {
    const connecting = [...this.#opened].filter(({ status }) => status === "connecting" || status === "connect");
    await Promise.all(connecting.map((client) => once(client, "ready")));
  }

  close(): void {
    Redis.prototype.connect = this.#connect;
    for (const client of this.#opened) if (client.status !== "end") client.disconnect();
  }
}
