import type { Duplex } from "node:stream";
import type { Rejection } from "./outcome.ts";
import type { EndListener, ResponsePort } from "./response-port.ts";

/** Stands in for the response while a WebSocket upgrade is decided: there is none before the handshake. */
export class UpgradePort implements ResponsePort<Duplex> {
  readonly response: Duplex;
  readonly unreadBody = false;
  readonly #headers = new Map<string, string>();

  constructor(socket: Duplex) {
    this.response = socket;
  }

  get closed(): boolean {
    return this.response.destroyed;
  }

  getHeader(name: string): string | undefined {
    return this.#headers.get(name.toLowerCase());
  }

  setHeader(name: string, value: string): void {
    this.#headers.set(name.toLowerCase(), value);
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase());
  }

  onEnd(listener: EndListener): void {
    throw new Error(`not written yet: ${String(listener)}`);
  }
}

/** Refuses an upgrade with valid HTTP/1.1 and closes the socket. Safe on a socket that is gone. */
export function rejectUpgrade(socket: Duplex, rejection: Rejection): void {
  throw new Error(`not written yet: ${String(socket)} ${rejection.status}`);
}
