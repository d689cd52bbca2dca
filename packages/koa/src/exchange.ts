import { NodeExchange, type RequestView } from "@aforo/core/adapter";
import type { Context } from "koa";

/** One Koa context, as the core sees its request and response. */
export class KoaExchange extends NodeExchange<Context, Context> {
  constructor(ctx: Context) {
    super(ctx, ctx.req, ctx.res, ctx);
  }

  /** As @koa/router tells it, to middleware that runs inside the router. */
  get route(): string | undefined {
    const route = this.raw["_matchedRoute"] as string | RegExp | undefined;
    return route === undefined ? undefined : String(route);
  }

  get proxyTrust(): "all" | "none" | "some" {
    const { proxy, maxIpsCount } = this.raw.app;
    if (!proxy) return "none";
    return maxIpsCount > 0 ? "some" : "all";
  }

  override get user(): RequestView["user"] {
    return (this.raw.state as { readonly user?: RequestView["user"] }).user;
  }
}
