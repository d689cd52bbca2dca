import type { IncomingMessage, ServerResponse } from "node:http";
import { HEADER_NAMES } from "./headers/names.ts";
import { headerText } from "./node-port.ts";
import { NodeExchange, type FrameworkRequest } from "./node-exchange.ts";
import type { Rejection } from "./outcome.ts";

/** A request as Fastify makes them. */
export interface WrappedRequest extends FrameworkRequest {
  readonly raw: IncomingMessage;
  /** Set when some proxy is trusted. */
  readonly ips?: readonly string[] | undefined;
}

/** A response that keeps headers of its own until the head is written, as Fastify's do. */
export interface Reply {
  readonly raw: ServerResponse;
  /** Sent, or taken over by somebody else. */
  readonly sent: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  header(name: string, value: string): unknown;
  removeHeader(name: string): unknown;
}

/** The limiter's own names as Fastify wants them: it writes them so, and text made anew for each response is slow to look up. */
const LOWER_CASE: ReadonlyMap<string, string> = new Map(HEADER_NAMES.map((name) => [name, name.toLowerCase()]));

/** Comes through two proxies, all at addresses set aside for documentation (RFC 5737). */
const STRANGER = {
  headers: { "x-forwarded-for": "192.0.2.1, 198.51.100.1" },
  socket: { remoteAddress: "203.0.113.1" },
};

/** {@link NodeExchange} over such a request and reply. */
export class ReplyExchange<Raw extends WrappedRequest, Res extends Reply> extends NodeExchange<Raw, Res> {
  /** Known before the limiter runs; `undefined` where none matched. */
  readonly route: string | undefined;

  constructor(request: Raw, reply: Res, route: string | undefined) {
    super(request, request.raw, reply.raw, reply);
    this.route = route;
  }

  get notFound(): boolean {
    return this.route === undefined;
  }

  /** The setting can't be read, so it is tried: whom would a stranger be taken for? */
  get proxyTrust(): "all" | "none" | "some" {
    if (this.raw.ips === undefined) return "none";
    const stranger = Object.create(this.raw, { raw: { value: STRANGER } }) as Raw;
    return stranger.ip === "192.0.2.1" ? "all" : "some";
  }

  override get closed(): boolean {
    return this.response.sent || super.closed;
  }

  override getHeader(name: string): string | undefined {
    return headerText(this.response.getHeader(name));
  }

  override setHeader(name: string, value: string): void {
    this.response.header(LOWER_CASE.get(name) ?? name, value);
  }

  override removeHeader(name: string): void {
    this.response.removeHeader(name);
  }
}

/** A rejection's body as Fastify is to send it: as it is. */
export function payloadOf(rejection: Rejection): string | Uint8Array {
  const { body } = rejection;
  // Text goes out in one piece with the head, which is much cheaper; but Fastify adds a charset to a type without one.
  const type = rejection.type ?? rejection.headers["Content-Type"];
  return typeof body === "string" && type?.includes("charset=") === true ? body : Buffer.from(body);
}
