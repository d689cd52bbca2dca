import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { Router } from "@koa/router";
import type { AppSpec, Mount, Reply, RouteSpec } from "@aforo/testkit";
import type Koa from "koa";
import type { Context, Middleware } from "koa";
import { answerContinue, rateLimit, type RateLimit } from "../src/index.ts";

/** Serves a story's app with one version of Koa, and @koa/router. */
export function mountOn(version: unknown): Mount {
  const Framework = version as typeof Koa;
  return async (spec) => {
    const app = spec.oneProxy === true ? new Framework({ proxy: true, maxIpsCount: 1 }) : new Framework();
    app.silent = true;
    if (spec.onError !== undefined) app.use(catching(spec.onError));
    app.use(early(spec));
    const limit = rateLimit<string>(spec.limit);
    app.use(limit);
    if (spec.second !== undefined) app.use(rateLimit<string>(spec.second));
    const router = new Router();
    for (const route of spec.routes) declare(router, limit, route);
    app.use(router.routes());
    const serve = app.callback();
    if (spec.http2 === true) {
      const server = createHttp2Server((req, res) => void serve(req as never, res as never));
      return { server, limiter: limit.limiter };
    }
    const server = createServer((req, res) => void serve(req, res));
    answerContinue(server);
    return { server, limiter: limit.limiter };
  };
}

function catching(onError: NonNullable<AppSpec["onError"]>): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      write(ctx, onError(error));
    }
  };
}

function early({ before }: AppSpec): Middleware {
  return async (ctx, next) => {
    await before?.({
      request: ctx.req,
      response: ctx.res,
      setHeader: (name, value) => ctx.set(name, value),
      setUser: (user) => void Object.assign(ctx.state, { user }),
    });
    return next();
  };
}

function declare(root: Router, limit: RateLimit, route: RouteSpec): void {
  const router = route.prefix === undefined ? root : new Router();
  if (route.again === true) router.use(limit);
  const limits = route.class === undefined ? [] : [limit.forClass(route.class)];
  if (route.again === true) limits.push(limit);
  const method = (route.method ?? "GET").toLowerCase() as "get" | "post" | "options";
  router[method](route.path, ...limits, async (ctx: Context) => {
    write(ctx, await route.handle({ request: ctx.req, response: ctx.res, rateLimit: ctx.state.rateLimit }));
  });
  if (route.prefix !== undefined) root.use(route.prefix, router.routes());
}

function write(ctx: Context, reply: Reply): void {
  if (typeof reply === "string") {
    ctx.body = reply;
    return;
  }
  ctx.status = reply.status ?? 200;
  ctx.set({ ...reply.headers });
  ctx.body = reply.body;
}
