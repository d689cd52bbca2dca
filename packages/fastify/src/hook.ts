import { ReplyExchange, isPromise, payloadOf, type HttpLimiter, type Outcome } from "@aforo/core/adapter";
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

export type FastifyHttpLimiter = HttpLimiter<FastifyRequest, string, FastifyReply>;

/** What a limiter does for one route. */
export interface RoutePlan {
  readonly limited: boolean;
  readonly className: string | undefined;
}

/** A hook in callback form: where nothing is asynchronous, nothing is awaited. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void;

/** A hook that asks the limiter about each request. @param planOf - called once for each route. */
export function hookOf(http: FastifyHttpLimiter, planOf: (request: FastifyRequest) => RoutePlan): Hook {
  // By the config object, of which Fastify has one for each route.
  const plans = new WeakMap<object, RoutePlan>();
  return function rateLimit(request, reply, done) {
    const { config } = request.routeOptions;
    let plan = plans.get(config);
    if (plan === undefined) {
      plan = planOf(request);
      plans.set(config, plan);
    }
    if (!plan.limited) return done();
    const exchange = new ReplyExchange(request, reply, config.url);
    const outcome = http.meet(exchange, exchange, plan.className);
    if (isPromise(outcome)) void outcome.then((settled) => finish(settled, reply, done), done);
    else finish(outcome, reply, done);
  };
}

function finish(outcome: Outcome, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  if (outcome.action === "go") return done();
  if (outcome.action === "stop") return;
  const { rejection } = outcome;
  if (rejection.thrown) return done(rejection.error);
  reply.code(rejection.status).send(payloadOf(rejection));
}
