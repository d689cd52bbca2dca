import { isPromise, shareHandle, type HttpLimiter, type Outcome, type Rejection } from "@aforo/core/adapter";
import { Inject, Injectable, type CanActivate, type ExecutionContext } from "@nestjs/common";
import { AnsweredException, RateLimitException, SettledException } from "./exception.ts";
import { exchangeOf } from "./exchange.ts";
import type { NestRequest } from "./options.ts";
import { RouteClasses } from "./route-classes.ts";
import { HTTP_LIMITER } from "./tokens.ts";

/**
 * Limits the routes that it guards: everywhere as `APP_GUARD`, or by `@UseGuards(RateLimitGuard)`. Place it behind
 * the authentication guard when users are to be counted rather than addresses. What is no HTTP (RPC, WebSocket,
 * GraphQL) passes.
 */
export class RateLimitGuard implements CanActivate {
  static {
    Injectable()(this);
    Inject(HTTP_LIMITER)(this, undefined, 0);
    Inject(RouteClasses)(this, undefined, 1);
  }

  readonly #http: HttpLimiter<NestRequest>;
  readonly #classes: RouteClasses;

  constructor(http: HttpLimiter<NestRequest>, classes: RouteClasses) {
    this.#http = http;
    this.#classes = classes;
  }

  /** @throws RateLimitException for a rejection. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    if (context.getType() !== "http") return true;
    const rule = this.#classes.of(context.getHandler(), context.getClass());
    if (rule === null) return true;
    const platform = context.switchToHttp();
    const exchange = exchangeOf(platform.getRequest(), platform.getResponse());
    const outcome = this.#http.meet(exchange, exchange, rule);
    return isPromise(outcome)
      ? outcome.then((made) => this.#goesOn(made, exchange.raw))
      : this.#goesOn(outcome, exchange.raw);
  }

  #goesOn(outcome: Outcome, request: object): boolean {
    shareHandle(request);
    if (outcome.action === "reject") throw exceptionOf(outcome.rejection);
    // A guard that answers false is taken to forbid, and the response would be ended with that.
    if (outcome.action === "stop") throw new SettledException();
    return true;
  }
}

function exceptionOf(rejection: Rejection): RateLimitException {
  return rejection.thrown ? new RateLimitException(rejection) : new AnsweredException(rejection);
}
