import { ConfigError, type ClassOptions } from "@aforo/core";
import { VISITS, answerContinue, createHttpLimiter, latestHandle, requireOneOf } from "@aforo/core/adapter";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { fastifyPlugin } from "fastify-plugin";
import { hookOf, type FastifyHttpLimiter, type Hook, type RoutePlan } from "./hook.ts";
import type { DecoratorName, RateLimitHook, RateLimitOptions, RouteRateLimit } from "./options.ts";
import { Scope, knows } from "./scope.ts";

const HOOKS: readonly RateLimitHook[] = ["onRequest", "preParsing", "preValidation", "preHandler"];
const NAMES: readonly DecoratorName[] = ["rateLimit", "aforo"];

/**
 * Limits the routes of the scope that it is registered in and of those inside, whether declared before or after, and
 * requests that no route matches. Behind a proxy set Fastify's own `trustProxy`.
 *
 * @throws ConfigError when loaded, for every option that is wrong; when the server gets ready, for a route's config.
 * @example
 * await fastify.register(rateLimit, { limit: "100/minute" });
 */
export const rateLimit: FastifyPluginAsync<RateLimitOptions> = fastifyPlugin(
  async function rateLimit(fastify: FastifyInstance, options: RateLimitOptions): Promise<void> {
    const { hook = "onRequest", as = "rateLimit", global = true, ...rest } = options;
    requireOneOf("hook", hook, HOOKS);
    requireOneOf("as", as, NAMES);
    if (typeof global !== "boolean") {
      throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"global" must be true or false, got ${typeof global}`);
    }
    const http = createHttpLimiter<FastifyRequest, string, FastifyReply>(rest, {
      name: "fastify",
      proxyHint: `Set "trustProxy" to the addresses of the proxies.`,
    });
    fastify.addHook("onClose", () => http.close());
    if (fastify.initialConfig.http2 !== true) answerContinue(fastify.server);
    scopeOf(fastify, as).add(http);
    decorateRequests(fastify, as);
    checkRoutes(fastify, as);
    addHook(
      fastify,
      hook,
      hookOf(http, (request) => planOf(http, request, as, global)),
    );
  },
  { name: "@aforo/fastify", fastify: "5.x" },
);

/** The limiters of this scope; decorates it when this is its first. */
function scopeOf(fastify: FastifyInstance, as: DecoratorName): Scope {
  const decorator: unknown = fastify[as as never];
  const inherited = decorator instanceof Scope ? decorator : undefined;
  if (decorator !== undefined && inherited === undefined) {
    throw new ConfigError(
      "ERR_AFORO_CONFLICTING_OPTIONS",
      `another plugin has decorated fastify.${as}; call this one something else with as: "aforo"`,
    );
  }
  if (inherited !== undefined && Object.hasOwn(fastify, as)) return inherited;
  const scope = new Scope(inherited);
  fastify.decorate(as, scope as never);
  return scope;
}

function decorateRequests(fastify: FastifyInstance, as: DecoratorName): void {
  if (!fastify.hasRequestDecorator(VISITS)) fastify.decorateRequest(VISITS, undefined);
  if (fastify.hasRequestDecorator(as)) return;
  fastify.decorateRequest(as, {
    getter(this: FastifyRequest) {
      return latestHandle(this) as never;
    },
  });
}

/** Routes may stand before the limiter that knows their class, so they are checked when all have been declared. */
function checkRoutes(fastify: FastifyInstance, as: DecoratorName): void {
  const checks: (() => void)[] = [];
  fastify.addHook("onRoute", function (this: FastifyInstance, route: RouteOptions) {
    const config = configOf(route.config, as);
    if (config === undefined) return;
    checks.push(() => (this[as as never] as Scope).check(config, placeOf(route.method, route.url, as)));
  });
  fastify.addHook("onReady", async () => {
    for (const check of checks) check();
  });
}

/** What a limiter does for the route of this request, and so for all requests of that route. */
function planOf(http: FastifyHttpLimiter, request: FastifyRequest, as: DecoratorName, global: boolean): RoutePlan {
  const config = configOf(request.routeOptions.config, as);
  if (config === undefined) return { limited: global, className: undefined };
  if (config === false) return { limited: false, className: undefined };
  if (typeof config === "string") return { limited: true, className: knows(http, config) ? config : undefined };
  if ((request.server[as as never] as Scope).nearest !== http) return { limited: global, className: undefined };
  const { method, url } = request.routeOptions.config;
  return { limited: true, className: defineLate(http, config, placeOf(method, url, as)) };
}

/**
 * Routes that stand before the plugin was loaded show only when they are asked for. That is too late for a policy of
 * their own once requests have been decided; they count as the dearest class then, since nothing may go uncounted.
 */
function defineLate(http: FastifyHttpLimiter, config: ClassOptions<FastifyRequest>, place: string): string {
  try {
    return http.defineClass(config, place);
  } catch (error) {
    process.emitWarning(`${(error as Error).message}; await the registration of @aforo/fastify before declaring it`, {
      code: "AFORO_ROUTE_BEFORE_LIMITER",
    });
    return place;
  }
}

/** Names the class of a route, in all instances alike: the HEAD that Fastify adds to a GET shares its class. */
function placeOf(method: string | readonly string[], url: string, as: DecoratorName): string {
  return `${method === "HEAD" ? "GET" : String(method)} ${url} config.${as}`;
}

function configOf(config: unknown, as: DecoratorName): RouteRateLimit | undefined {
  return (config as Readonly<Record<string, RouteRateLimit | undefined>> | undefined)?.[as];
}

function addHook(fastify: FastifyInstance, name: RateLimitHook, hook: Hook): void {
  if (name === "onRequest") fastify.addHook(name, hook);
  else if (name === "preValidation") fastify.addHook(name, hook);
  else if (name === "preHandler") fastify.addHook(name, hook);
  else fastify.addHook(name, (request, reply, _payload, done) => hook(request, reply, done));
}
