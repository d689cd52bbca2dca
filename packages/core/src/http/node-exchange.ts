import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { RequestView } from "../identity/request-view.ts";
import { headerText, NodeResponsePort } from "./node-port.ts";
import { pathOf } from "./path.ts";

/** What the requests of Node's frameworks have in common. */
export interface FrameworkRequest {
  readonly method: string;
  /** The target as received, whatever routers cut off since. */
  readonly originalUrl: string;
  readonly headers: IncomingHttpHeaders;
  /** By the framework's own proxy trust. */
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * One request and its response as the core sees them, over what frameworks have in common. One object serves as both,
 * and computes when asked: most requests need little of it.
 */
export abstract class NodeExchange<Raw extends FrameworkRequest, Res>
  extends NodeResponsePort<Res>
  implements RequestView<Raw>
{
  readonly raw: Raw;
  abstract readonly route: string | undefined;
  abstract readonly proxyTrust: "all" | "none" | "some";

  constructor(raw: Raw, req: IncomingMessage, res: ServerResponse, response: Res) {
    super(req, res, response);
    this.raw = raw;
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

  /** Where authentications of most frameworks leave it. */
  get user(): RequestView["user"] {
    return (this.raw as { readonly user?: RequestView["user"] }).user;
  }
}
