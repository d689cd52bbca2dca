import type { ClassOptions, RateLimitOptions as Options } from "@aforo/core/adapter";
import type { FastifyReply, FastifyRequest } from "fastify";

/** When the limiter runs. Users are known to it only behind the hook that authenticates them. */
export type RateLimitHook = "onRequest" | "preParsing" | "preValidation" | "preHandler";

/** Everything that can be said of a limiter; checked once, when the plugin is loaded. */
export interface RateLimitOptions<Class extends string = string> extends Options<FastifyRequest, Class, FastifyReply> {
  /** @defaultValue `"onRequest"`, before a body is read */
  readonly hook?: RateLimitHook;
  /** `false` limits only routes whose `config` names a class or options. @defaultValue true */
  readonly global?: boolean;
  /**
   * What the decorators of instance and request and the key in a route's `config` are called. `"aforo"` leaves
   * `rateLimit` to another plugin, such as @fastify/rate-limit during a migration. @defaultValue `"rateLimit"`
   */
  readonly as?: DecoratorName;
}

export type DecoratorName = "rateLimit" | "aforo";

/**
 * What a route's `config` may say: `false` for no limit, the name of a cost class, or a class of its own. With several
 * registrations a class means every limiter that knows it, options mean the nearest one.
 */
export type RouteRateLimit = false | string | ClassOptions<FastifyRequest>;
