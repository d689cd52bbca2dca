import type { AppSpec, Mount, Reply, RouteSpec } from "@aforo/testkit";
import type { FastifyInstance, FastifyReply, fastify } from "fastify";
import { rateLimit } from "../src/index.ts";

/** Serves a story's app with Fastify. */
export function mountOn(framework: typeof fastify): Mount {
  return async (spec) => {
    const app = framework({
      ...(spec.oneProxy === true ? { trustProxy: "127.0.0.1" } : {}),
      ...(spec.http2 === true ? { http2: true } : {}),
    } as object) as FastifyInstance;
    early(app, spec);
    await app.register(rateLimit, spec.limit);
    if (spec.second !== undefined) await app.register(rateLimit, spec.second);
    const { limiter } =
      spec.second === undefined ? app.rateLimit : { limiter: app.rateLimit.of(spec.limit.name ?? "default") };
    const { onError } = spec;
    if (onError !== undefined) app.setErrorHandler((error, _request, reply) => write(reply, onError(error)));
    for (const route of spec.routes) declare(app, route);
    await app.ready();
    return { server: app.server, limiter: limiter as never, close: () => app.close() };
  };
}

function early(app: FastifyInstance, { before }: AppSpec): void {
  app.decorateRequest("user", null);
  app.addHook("onRequest", async (request, reply) => {
    await before?.({
      request: request.raw,
      response: reply.raw,
      setHeader: (name, value) => void reply.header(name, value),
      setUser: (user) => void Object.assign(request, { user }),
    });
  });
}

function declare(root: FastifyInstance, route: RouteSpec): void {
  if (route.prefix !== undefined) {
    root.register(
      async (nested) => {
        if (route.again === true) nested.addHook("onRequest", nested.rateLimit.forClass(route.class as string));
        const { prefix: _, ...inner } = route;
        declare(nested, inner);
      },
      { prefix: route.prefix },
    );
    return;
  }
  root.route({
    method: route.method ?? "GET",
    url: route.path,
    config: route.class === undefined ? {} : { rateLimit: route.class },
    ...(route.again === true ? { preHandler: root.rateLimit.forClass(route.class as string) } : {}),
    handler: async (request, reply) => {
      write(reply, await route.handle({ request: request.raw, response: reply.raw, rateLimit: request.rateLimit }));
      return reply;
    },
  });
}

function write(reply: FastifyReply, answer: Reply): void {
  if (typeof answer === "string") return void reply.send(answer);
  reply
    .code(answer.status ?? 200)
    .headers({ ...answer.headers })
    .send(answer.body);
}
