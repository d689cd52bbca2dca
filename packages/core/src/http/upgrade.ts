import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Rejection } from "./outcome.ts";
import type { EndListener, ResponsePort } from "./response-port.ts";

/**
 * Stands in for the response while a WebSocket upgrade is decided: there is none before the handshake. The request ends with its
 * socket, and an upgrade that was let through counts as status 101.
 */
export class UpgradePort implements ResponsePort<Duplex> {
  readonly response: Duplex;
  readonly unreadBody = false;
  /** Headers of an upgrade are only kept until its answer is written. */
  readonly headSent = false;
  readonly #headers = new Map<string, string>();

  constructor(socket: Duplex) {
    this.response = socket;
  }

  get closed(): boolean {
    return this.response.destroyed || !this.response.writable;
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
    const end = (): void => listener(101, false);
    if (this.response.destroyed) queueMicrotask(end);
    else this.response.once("close", end);
  }
}

/** Refuses an upgrade with a whole HTTP/1.1 response and closes the socket. Safe on a socket that is gone. */
export function rejectUpgrade(socket: Duplex, rejection: Rejection): void {
  // The other end may reset the connection while this is written; nobody else listens by now.
  socket.on("error", ignore);
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = typeof rejection.body === "string" ? Buffer.from(rejection.body) : rejection.body;
  const head = [`HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status] ?? "Rejected"}`];
  for (const [name, value] of Object.entries(rejection.headers)) head.push(`${name}: ${value}`);
  head.push("Connection: close", `Content-Length: ${body.byteLength}`);
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.end(body, () => socket.destroy());
}

function ignore(): void {
  // A client that left needs no answer.
}
