import { NodeResponsePort, headerText, pathOf, type RequestView } from "@aforo/core/adapter";
import type { Request, Response } from "express";

/** One Express request and its response, as the core sees them; computed when asked for. */
export class ExpressExchange extends NodeResponsePort<Response> implements RequestView<Request> {
  readonly raw: Request;

  constructor(request: Request, response: Response) {
    super(request, response, response);
    this.raw = request;
  }

  get method(): string {
    return this.raw.method;
  }

  get path(): string {
    return pathOf(this.raw.originalUrl);
  }

  /**
   * Known in middleware of the route itself. What a router is mounted under is known to Express by its text alone,
   * in lower case here because by default `/API` reaches what is mounted under `/api`.
   */
  get route(): string | undefined {
    const route: unknown = this.raw.route;
    if (typeof route !== "object" || route === null) return undefined;
    return this.raw.baseUrl.toLowerCase() + String((route as { readonly path: unknown }).path);
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
}
