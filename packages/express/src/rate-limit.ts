import {
  createHttpLimiter,
  isPromise,
  shareHandle,
  type HttpLimiter,
  type Outcome,
  type RateLimitOptions as Options,
  type RequestHandle,
  type RequestView,
} from "@aforo/core/adapter";
import type { Limiter } from "@aforo/core";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { ExpressExchange } from "./exchange.ts";

declare global {
  namespace Express {
    interface Request {
      /** What the limiter that ran last made of this request; there behind every limiter. */
      rateLimit: RequestHandle;
    }
  }
}

/** Everything that can be said of a limiter; checked once, by {@link rateLimit}. */
export type RateLimitOptions<Class extends string = string> = Options<Request, Class, Response>;

/** Middleware that limits the routes behind it. */
export interface RateLimit<Class extends string = string> extends RequestHandler {
  /**
   * The same limiter for routes of one cost class. A request that met the limiter before is charged the
   * difference, so that it pays for its dearest class and once.
   * @throws ConfigError `ERR_AFORO_UNKNOWN_CLASS` with the nearest known name.
   */
  forClass(className: Class): RequestHandler;
  /** The limiter without Express, for `reset`, `block`, `peek` and the like. */
  readonly limiter: Limiter<boolean, RequestView<Request>>;
}

/**
 * Limits requests. Place it behind the authentication when users are to be counted rather than addresses, and set
 * Express's own `trust proxy` behind a proxy.
 *
 * @throws ConfigError for every option that is wrong.
 * @example
 * app.use(rateLimit({ limit: "100/minute" }));
 */
export function rateLimit<Class extends string = never>(options: RateLimitOptions<Class>): RateLimit<Class> {
  const http = createHttpLimiter<Request, Class, Response>(options, {
    name: "express",
    proxyHint: `Set "trust proxy" to the number of proxies or to their addresses.`,
  });
  return Object.assign(middleware(http, undefined), {
    limiter: http.limiter,
    forClass: (className: Class) => middleware(http, http.requireClass(className, "forClass")),
  });
}

function middleware<Class extends string>(
  http: HttpLimiter<Request, Class, Response>,
  className: Class | undefined,
): RequestHandler {
  return function rateLimit(req, res, next) {
    const exchange = new ExpressExchange(req, res);
    const outcome = http.meet(exchange, exchange, className);
    if (isPromise(outcome)) void outcome.then((settled) => finish(settled, req, res, next), next);
    else finish(outcome, req, res, next);
  };
}

function finish(outcome: Outcome, req: Request, res: Response, next: NextFunction): void {
  if (outcome.action === "stop") return;
  shareHandle(req);
  if (outcome.action === "go") return next();
  const { rejection } = outcome;
  if (rejection.thrown) return next(rejection.error);
  res.statusCode = rejection.status;
  res.end(rejection.body);
}
