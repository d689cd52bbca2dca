import { Server, type AddressInfo } from "node:net";

/** The servers that snippets started, on free ports whatever port they asked for. */
export class Listening {
  readonly #servers: Server[] = [];
  readonly #listen = Server.prototype.listen;

  constructor() {
    const servers = this.#servers;
    const listen = this.#listen;
    Server.prototype.listen = function (this: Server, ...given: unknown[]): Server {
      servers.push(this);
      this.once("close", () => {
        const at = servers.indexOf(this);
        if (at >= 0) servers.splice(at, 1);
      });
      const callback = given.find((argument) => typeof argument === "function") as (() => void) | undefined;
      return Reflect.apply(listen, this, [0, "127.0.0.1", callback]) as Server;
    } as typeof listen;
  }

  /** The port of the server that was started last. */
  async port(): Promise<number | undefined> {
    const server = this.#servers.at(-1);
    if (server === undefined) return undefined;
    if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
    return (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.splice(0).map(async (server) => {
        (server as { closeAllConnections?: () => void }).closeAllConnections?.();
        await new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  restore(): void {
    Server.prototype.listen = this.#listen;
  }
}
