import { NodeResponsePort, headerText, pathOf, type RequestView } from "@aforo/core/adapter";
import type { Context } from "koa";

/** One Koa context, as the core sees its request and response; computed when asked for. */
export class KoaExchange extends NodeResponsePort<Context> implements RequestView<Context> {
  readonly raw: Context;

  constructor(ctx: Context) {
    super(ctx.req, ctx.res, ctx);
    this.raw = ctx;
  }

  get method(): string {
    return this.raw.method;
  }

  get path(): string {
    return pathOf(this.raw.originalUrl);
  }

  /** As @koa/router tells it, to middleware that runs inside the router. */
  get route(): string | undefined {
    const route: unknown = this.raw["_matchedRoute"];
    return route === undefined ? undefined : String(route);
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
    return (this.raw.state as { readonly user?: RequestView["user"] }).user;
  }
}
