import type { RequestHandle } from "@aforo/core/adapter";
import type { FastifyInstance as Instance } from "fastify";
import type { RouteRateLimit } from "./options.ts";
import type { FastifyRateLimit } from "./scope.ts";

/**
 * `T`, unless @fastify/rate-limit is there too: then its own types of the same names hold, and ours go by `aforo`.
 * Members of a base may be declared again where an interface's own members may not.
 */
type Unclaimed<T> = Instance extends { readonly createRateLimit: unknown } ? ReturnType<typeof JSON.parse> : T;

/** Adds to Fastify's instance. */
export interface RateLimitDecorators {
  /** The limiters of this scope. */
  readonly rateLimit: Unclaimed<FastifyRateLimit>;
  /** The limiters of this scope, registered with `as: "aforo"`. */
  readonly aforo: FastifyRateLimit;
}

/** Adds to the `config` of routes. */
export interface RateLimitRouteConfig {
  /** `false` for no limit, a cost class, or a class of its own. */
  readonly rateLimit?: Unclaimed<RouteRateLimit>;
  /** The same for limiters registered with `as: "aforo"`. */
  readonly aforo?: RouteRateLimit;
}

/** Adds to requests. */
export interface RateLimitRequest {
  /** What the limiter that ran last made of this request; there behind every limiter. */
  readonly rateLimit: RequestHandle;
  /** The same for limiters registered with `as: "aforo"`. */
  readonly aforo: RequestHandle;
}

declare module "fastify" {
  interface FastifyInstance extends RateLimitDecorators {}
  interface FastifyContextConfig extends RateLimitRouteConfig {}
  interface FastifyRequest extends RateLimitRequest {}
}
