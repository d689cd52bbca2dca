import { NodeResponsePort, headerText, pathOf, type RequestView } from "@aforo/core/adapter";
import type { FastifyReply, FastifyRequest } from "fastify";

/** One Fastify request and its reply, as the core sees them; computed when asked for. */
export class FastifyExchange extends NodeResponsePort<FastifyReply> implements RequestView<FastifyRequest> {
  readonly raw: FastifyRequest;
  /** Fastify knows it before any hook runs. */
  readonly route: string | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, route: string | undefined) {
    super(request.raw, reply.raw, reply);
    this.raw = request;
    this.route = route;
  }

  get notFound(): boolean {
    return this.route === undefined;
  }

  get method(): string {
    return this.raw.method;
  }

  get path(): string {
    return pathOf(this.raw.originalUrl);
  }

  header(name: string): string | undefined {
    return headerText(this.raw.headers[name]);
  }

  get ip(): string | undefined {
    return this.raw.ip;
  }

  get peer(): string | undefined {
    return this.raw.socket.remoteAddress;
  }

  get user(): RequestView["user"] {
    return (this.raw as { readonly user?: RequestView["user"] }).user;
  }

  /** A hijacked reply belongs to somebody else. */
  override get closed(): boolean {
    return this.response.sent || super.closed;
  }

  // Fastify keeps headers of its own until the head is written.

  override getHeader(name: string): string | undefined {
    return headerText(this.response.getHeader(name));
  }

  override setHeader(name: string, value: string): void {
    this.response.header(name, value);
  }

  override removeHeader(name: string): void {
    this.response.removeHeader(name);
  }
}
