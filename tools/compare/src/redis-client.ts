import { once } from "node:events";
import { Redis, type RedisOptions } from "ioredis";

/** Options that documentation recommends against the client's defaults. */
type Recommended = Pick<RedisOptions, "connectTimeout" | "maxRetriesPerRequest" | "enableOfflineQueue">;

/** Clients of one application, opened with what the subject's documentation recommends. */
export class Clients {
  readonly #opened: Redis[] = [];

  open(url: string, options: Recommended = {}): Redis {
    const { hostname, port } = new URL(url);
    const client = new Redis({ ...options, host: hostname, port: Number(port) });
    // An application logs it; without a listener ioredis does.
    client.on("error", () => {});
    this.#opened.push(client);
    return client;
  }

  /** Stories begin when the application is up: with its connections open. */
  async ready(): Promise<void> {
    const opening = this.#opened.filter(({ status }) => status !== "ready");
    await Promise.all(opening.map((client) => once(client, "ready")));
  }

  close(): void {
    for (const client of this.#opened) client.disconnect();
  }
}
