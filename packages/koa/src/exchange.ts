import { NodeExchange, type RequestView } from "@aforo/core/adapter";
import type { Context } from "koa";

/** What @koa/router leaves on a context. */
interface Routed {
  /** Routes and middleware whose path matches, whatever their method. */
  readonly matched?: readonly { readonly path: string | RegExp; readonly methods: readonly string[] }[];
  /** The path of the one that runs. */
  readonly _matchedRoute?: string | RegExp;
}

/** One Koa context, as the core sees its request and response. */
export class KoaExchange extends NodeExchange<Context, Context> {
  constructor(ctx: Context) {
    super(ctx, ctx.req, ctx.res, ctx);
  }

  /**
   * As @koa/router tells it, to middleware that runs inside the router: the route whose own middleware this is, else
   * the last that matches, which the router runs after middleware of its own.
   */
  get route(): string | undefined {
    const { matched = [], _matchedRoute: current } = this.raw as Routed;
    const routes = matched.filter((layer) => layer.methods.includes(this.method));
    const route = routes.find((layer) => layer.path === current) ?? routes.at(-1);
    return route === undefined ? undefined : String(route.path);
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
