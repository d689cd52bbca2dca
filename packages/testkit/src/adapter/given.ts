import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@aforo/core";
import type { Abilities, AppSpec, LimitOptions, Mount, Mounted } from "./app-spec.ts";
import { Client } from "./client.ts";
import { manualClock, type ManualClock } from "@aforo/core/testing";

/** How a story's app can be reached. */
export interface Running extends Mounted {
  readonly client: Client;
}

export interface ServeOptions {
  /** On a unix socket instead of a port. */
  readonly unix?: boolean;
  /** The client keeps that many connections; left out, it opens one for each request. */
  readonly keepAlive?: number;
}

/** What stories are told with; everything that a test opens is closed behind it. */
export class Given {
  readonly abilities: Abilities;
  readonly #mount: Mount;
  readonly #createStore: (clock: ManualClock) => Store;
  #clock: ManualClock = manualClock();
  /** The latest first: servers before the stores that they use. */
  #closing: (() => Promise<unknown>)[] = [];

  constructor(mount: Mount, abilities: Abilities, createStore: (clock: ManualClock) => Store) {
    this.#mount = mount;
    this.abilities = abilities;
    this.#createStore = createStore;
  }

  /** The clock of this test's stores. */
  get clock(): ManualClock {
    return this.#clock;
  }

  /** A limiter of so many units per minute in fixed windows, unless told otherwise. */
  limit(limit: number, options: LimitOptions = {}): LimitOptions {
    const rate = options.policies === undefined ? { limit: `${limit}/minute`, algorithm: "fixed-window" as const } : {};
    // On a busy machine a store in this process may take longer than one across a network.
    return { store: this.store(), storeTimeoutMs: 30_000, ...rate, ...options };
  }

  store(): Store {
    const store = this.#createStore(this.#clock);
    this.#closing.unshift(async () => store.close());
    return store;
  }

  /** An app whose one route `/` answers "ok". */
  simple(limit: LimitOptions, more: Omit<AppSpec, "limit" | "routes"> = {}): Promise<Running> {
    return this.app({ ...more, limit, routes: [{ path: "/", handle: () => "ok" }] });
  }

  async app(spec: AppSpec, options: ServeOptions = {}): Promise<Running> {
    const mounted = await this.#mount(spec);
    const server = mounted.server as Server & { closeAllConnections?(): void };
    const path = join(tmpdir(), `aforo-${randomUUID()}.sock`);
    if (options.unix === true) server.listen(path);
    else server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = new Client(server, options.keepAlive);
    this.#closing.unshift(async () => {
      client.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections?.();
      await closed;
      await mounted.close?.();
      rmSync(path, { force: true });
    });
    return { ...mounted, client };
  }

  async end(): Promise<void> {
    const closing = this.#closing;
    this.#closing = [];
    this.#clock = manualClock();
    for (const close of closing) await close();
  }
}
