import type { ConfigError, Limiter } from "@aforo/core";
import type { RequestView } from "@aforo/core/adapter";
import type { FastifyRequest } from "fastify";
import { hookOf, type FastifyHttpLimiter, type Hook } from "./hook.ts";
import type { RouteRateLimit } from "./options.ts";

/** What `fastify.rateLimit` is: the limiters that apply to routes of this scope. */
export interface FastifyRateLimit {
  /** The nearest limiter without Fastify, for `reset`, `block`, `peek` and the like. */
  readonly limiter: Limiter<boolean, RequestView<FastifyRequest>>;
  /** The limiter of that name. */
  of(name: string): Limiter<boolean, RequestView<FastifyRequest>> | undefined;
  /**
   * A hook (`onRequest`, `preValidation` or `preHandler`) for routes of one cost class: charges what the class costs
   * above what the request was charged before.
   * @throws ConfigError `ERR_AFORO_UNKNOWN_CLASS` when no limiter of the scope knows the class.
   */
  forClass(className: string): Hook;
}

/** The registrations of one scope. */
export class Scope implements FastifyRateLimit {
  readonly #around: Scope | undefined;
  /** The latest, and so the nearest to handlers, first. */
  readonly #own: FastifyHttpLimiter[] = [];

  constructor(around: Scope | undefined) {
    this.#around = around;
  }

  add(http: FastifyHttpLimiter): void {
    this.#own.unshift(http);
  }

  get limiter(): Limiter<boolean, RequestView<FastifyRequest>> {
    return this.nearest.limiter;
  }

  of(name: string): Limiter<boolean, RequestView<FastifyRequest>> | undefined {
    return this.#inner().find((http) => http.name === name)?.limiter;
  }

  forClass(className: string): Hook {
    const http = this.#inner().find((each) => knows(each, className)) ?? this.nearest;
    const known = http.requireClass(className, "forClass");
    return hookOf(http, () => ({ limited: true, className: known }));
  }

  /** A scope is made for its first registration, so there is one. */
  get nearest(): FastifyHttpLimiter {
    return this.#own[0] as FastifyHttpLimiter;
  }

  /** @throws ConfigError when a route's config is wrong, or names a class that no limiter of the scope knows. */
  check(config: RouteRateLimit, where: string): void {
    if (config === false) return;
    if (typeof config === "object") this.nearest.defineClass(config, where);
    else if (!this.#inner().some((http) => knows(http, config))) this.nearest.requireClass(config, where);
  }

  #inner(): FastifyHttpLimiter[] {
    return [...this.#own, ...(this.#around === undefined ? [] : this.#around.#inner())];
  }
}

export function knows(http: FastifyHttpLimiter, className: string): boolean {
  try {
    http.requireClass(className, "config");
    return true;
  } catch (error) {
    if ((error as ConfigError).code === "ERR_AFORO_UNKNOWN_CLASS") return false;
    throw error;
  }
}
