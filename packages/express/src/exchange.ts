import { NodeExchange } from "@aforo/core/adapter";
import type { Request, Response } from "express";

/** One Express request and its response, as the core sees them. */
export class ExpressExchange extends NodeExchange<Request, Response> {
  constructor(request: Request, response: Response) {
    super(request, request, response, response);
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

  get proxyTrust(): "all" | "none" | "some" {
    const trust: unknown = this.raw.app.get("trust proxy");
    return trust === true ? "all" : trust ? "some" : "none";
  }
}
