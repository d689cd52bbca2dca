import {
  createHttpLimiter,
  isPromise,
  latestHandle,
  type HttpLimiter,
  type Outcome,
  type RateLimitOptions as Options,
  type Rejection,
  type RequestHandle,
  type RequestView,
} from "@aforo/core/adapter";
import type { Limiter } from "@aforo/core";
import type { Context, Middleware, Next } from "koa";
import { KoaExchange } from "./exchange.ts";

/** What middleware behind a limiter finds in `ctx.state`. */
export interface RateLimitState {
  /** What the limiter that ran last made of this request; there behind every limiter. */
  rateLimit: RequestHandle;
}

declare module "koa" {
  interface DefaultState extends RateLimitState {}
}

/** Everything that can be said of a limiter; checked once, by {@link rateLimit}. */
export type RateLimitOptions<Class extends string = string> = Options<Context, Class, Context>;

/** Middleware that limits what comes behind it. */
export interface RateLimit<Class extends string = string> extends Middleware {
  /**
   * The same limiter for routes of one cost class. A request that met the limiter before is charged the
   * difference, so that it pays for its dearest class and once.
   * @throws ConfigError `ERR_AFORO_UNKNOWN_CLASS` with the nearest known name.
   */
  forClass(className: Class): Middleware;
  /** The limiter without Koa, for `reset`, `block`, `peek` and the like. */
  readonly limiter: Limiter<boolean, RequestView<Context>>;
}

/**
 * Limits requests. Place it behind the authentication when users are to be counted rather than addresses. Behind a
 * proxy set Koa's own `proxy`, and `maxIpsCount` to the number of proxies.
 *
 * @throws ConfigError for every option that is wrong.
 * @example
 * app.use(rateLimit({ limit: "100/minute" }));
 */
export function rateLimit<Class extends string = never>(options: RateLimitOptions<Class>): RateLimit<Class> {
  const http = createHttpLimiter<Context, Class, Context>(options, {
    name: "koa",
    proxyHint: `Set the application's "proxy", and "maxIpsCount" to the number of proxies.`,
  });
  return Object.assign(middleware(http, undefined), {
    limiter: http.limiter,
    forClass: (className: Class) => middleware(http, http.requireClass(className, "forClass")),
  });
}

function middleware<Class extends string>(
  http: HttpLimiter<Context, Class, Context>,
  className: Class | undefined,
): Middleware {
  return function rateLimit(ctx, next) {
    const exchange = new KoaExchange(ctx);
    const outcome = http.meet(exchange, exchange, className);
    if (isPromise(outcome)) return outcome.then((settled) => finish(settled, ctx, next));
    return finish(outcome, ctx, next);
  };
}

function finish(outcome: Outcome, ctx: Context, next: Next): Promise<unknown> | void {
  const handle = latestHandle(ctx);
  if (handle !== undefined) ctx.state.rateLimit = handle;
  if (outcome.action === "go") return next();
  if (outcome.action === "reject") return reject(ctx, outcome.rejection);
  // Koa would write a body of its own.
  ctx.respond = false;
}

function reject(ctx: Context, rejection: Rejection): void {
  // Koa's error path keeps no header but those of the error.
  if (rejection.thrown) throw rejection.error;
  ctx.status = rejection.status;
  ctx.body = typeof rejection.body === "string" ? rejection.body : Buffer.from(rejection.body);
}
