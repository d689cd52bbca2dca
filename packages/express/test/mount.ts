import { createServer } from "node:http";
import { pipeline } from "node:stream";
import type { AppSpec, Mount, Reply, RouteSpec } from "@aforo/testkit";
import type express from "express";
import type { Express, NextFunction, Request, Response, Router } from "express";
import { answerContinue, rateLimit, type RateLimit } from "../src/index.ts";

/** Serves a story's app with one version of Express. */
export function mountOn(framework: () => unknown, createRouter: () => unknown): Mount {
  return async (spec) => {
    const app = framework() as Express;
    if (spec.oneProxy === true) app.set("trust proxy", 1);
    app.use(early(spec));
    const limit = rateLimit<string>(spec.limit);
    app.use(limit);
    if (spec.second !== undefined) app.use(rateLimit<string>(spec.second));
    for (const route of spec.routes) declare(app, createRouter as () => Router, limit, route);
    const { onError } = spec;
    if (onError !== undefined) {
      app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => write(res, onError(error)));
    } else {
      // Express tells its console of every error that nobody handles.
      app.set("env", "test");
    }
    const server = createServer(app);
    answerContinue(server);
    return { server, limiter: limit.limiter };
  };
}

function early({ before }: AppSpec): express.RequestHandler {
  return (request, response, next) => {
    const settled = before?.({
      request,
      response,
      setHeader: (name, value) => void response.set(name, value),
      setUser: (user) => void Object.assign(request, { user }),
    });
    void Promise.resolve(settled).then(() => next(), next);
  };
}

function declare(app: Express, createRouter: () => Router, limit: RateLimit, route: RouteSpec): void {
  const router = route.prefix === undefined ? app : createRouter();
  if (route.prefix !== undefined) app.use(route.prefix, router);
  if (route.again === true) router.use(limit);
  const limits = route.class === undefined ? [] : [limit.forClass(route.class)];
  if (route.again === true) limits.push(limit);
  const method = (route.method ?? "GET").toLowerCase() as "get" | "post" | "options";
  router[method](route.path, ...limits, (req, res, next) => {
    try {
      const reply = route.handle({ request: req, response: res, rateLimit: req.rateLimit });
      Promise.resolve(reply).then((settled) => write(res, settled), next);
    } catch (error) {
      next(error);
    }
  });
}

function write(res: Response, reply: Reply): void {
  if (typeof reply === "string") return void res.send(reply);
  res.status(reply.status ?? 200).set(reply.headers ?? {});
  if (typeof reply.body === "string") res.send(reply.body);
  else pipeline(reply.body, res, () => {});
}
