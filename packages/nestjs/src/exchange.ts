import type { ServerResponse } from "node:http";
import {
  NodeExchange,
  ReplyExchange,
  type FrameworkRequest,
  type Reply,
  type WrappedRequest,
} from "@aforo/core/adapter";
import type { IncomingMessage } from "node:http";

type ExpressRequest = FrameworkRequest &
  IncomingMessage & {
    readonly app: { get(setting: string): unknown };
    readonly route?: { readonly path?: string | RegExp };
    readonly baseUrl: string;
  };
type FastifyRequest = WrappedRequest & { readonly routeOptions: { readonly url?: string | undefined } };

/** One request and its response as the core sees them, whatever the platform. */
export function exchangeOf(request: object, response: object): NodeExchange<FrameworkRequest, object> {
  if ("routeOptions" in request) {
    const wrapped = request as FastifyRequest;
    return new ReplyExchange(wrapped, response as Reply, wrapped.routeOptions.url);
  }
  return new ExpressPlatformExchange(request as ExpressRequest, response as ServerResponse);
}

class ExpressPlatformExchange extends NodeExchange<ExpressRequest, ServerResponse> {
  constructor(request: ExpressRequest, response: ServerResponse) {
    super(request, request, response, response);
  }

  /** Known before guards run. */
  get route(): string | undefined {
    const path = this.raw.route?.path;
    return path === undefined ? undefined : this.raw.baseUrl + String(path);
  }

  get proxyTrust(): "all" | "none" | "some" {
    const trust = this.raw.app.get("trust proxy");
    return trust === true ? "all" : trust ? "some" : "none";
  }
}
