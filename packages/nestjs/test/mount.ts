import "reflect-metadata";
import { pipeline } from "node:stream";
import { createHttpLimiter } from "@aforo/core/adapter";
import type { AppSpec, Call, EarlyCall, Mount, Reply, RouteSpec } from "@aforo/testkit";
import {
  Controller,
  Get,
  Options,
  Post,
  Req,
  Res,
  UseGuards,
  type ArgumentsHost,
  type DynamicModule,
  type INestApplication,
  type Type,
} from "@nestjs/common";
import { APP_GUARD, NestFactory } from "@nestjs/core";
import { ExpressAdapter, type NestExpressApplication } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import type { Response } from "express";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RATE_LIMITER, RateLimit, RateLimitGuard, RateLimitModule } from "../src/index.ts";

const METHODS = { GET: Get, POST: Post, OPTIONS: Options };

/** Serves a story's app with Nest on one of its platforms. */
export function mountOn(platform: "express" | "fastify"): Mount {
  return async (spec) => {
    const app = await NestFactory.create(moduleOf(spec), adapterOf(platform, spec), {
      logger: false,
      abortOnError: false,
    });
    early(app, platform, spec);
    if (spec.second !== undefined) app.useGlobalGuards(secondGuard(spec.second));
    const { onError } = spec;
    if (onError !== undefined) {
      app.useGlobalFilters({
        catch: (error: unknown, host: ArgumentsHost) => write(host.switchToHttp().getResponse(), onError(error)),
      });
    }
    await app.init();
    if (platform === "fastify") await (app.getHttpAdapter().getInstance() as { ready(): Promise<unknown> }).ready();
    return { server: app.getHttpServer(), limiter: app.get(RATE_LIMITER), close: () => app.close() };
  };
}

function adapterOf(platform: "express" | "fastify", spec: AppSpec): ExpressAdapter | FastifyAdapter {
  if (platform === "express") return new ExpressAdapter();
  const trust = spec.oneProxy === true ? { trustProxy: "127.0.0.1" } : {};
  return new FastifyAdapter({
    ...trust,
    routerOptions: { ignoreTrailingSlash: true },
    ...(spec.http2 === true ? { http2: true } : {}),
  } as object);
}

function moduleOf(spec: AppSpec): DynamicModule {
  return {
    module: class StoryModule {},
    imports: [RateLimitModule.forRoot<string>(spec.limit)],
    controllers: spec.routes.map(controllerOf),
    providers: [{ provide: APP_GUARD, useClass: RateLimitGuard }],
  };
}

function controllerOf(route: RouteSpec): Type {
  class StoryController {
    async handle(
      request: FastifyRequest & { rateLimit: Call["rateLimit"] },
      response: Response | FastifyReply,
    ): Promise<void> {
      const raw = { request: request.raw ?? request, response: "raw" in response ? response.raw : response };
      write(response, await route.handle({ ...raw, rateLimit: request.rateLimit }));
    }
  }
  const { prototype } = StoryController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, "handle") as TypedPropertyDescriptor<unknown>;
  Controller(route.prefix ?? "")(StoryController);
  METHODS[route.method ?? "GET"](route.path)(prototype, "handle", descriptor);
  Req()(prototype, "handle", 0);
  Res()(prototype, "handle", 1);
  if (route.class !== undefined) RateLimit(route.class)(prototype, "handle", descriptor);
  if (route.again === true) UseGuards(RateLimitGuard)(prototype, "handle", descriptor);
  return StoryController;
}

/** A limiter of its own behind the module's; it has no decorators. */
function secondGuard(limit: AppSpec["limit"]): RateLimitGuard {
  const http = createHttpLimiter(limit, { name: "nestjs" });
  return new RateLimitGuard(http, { of: () => undefined } as never);
}

function early(app: INestApplication, platform: "express" | "fastify", { before, oneProxy }: AppSpec): void {
  if (platform === "express") {
    const express = app as NestExpressApplication;
    if (oneProxy === true) express.set("trust proxy", 1);
    express.use((request: EarlyCall["request"], response: Response, next: (error?: unknown) => void) => {
      const settled = before?.({
        request,
        response,
        setHeader: (name, value) => void response.set(name, value),
        setUser: (user) => void Object.assign(request, { user }),
      });
      void Promise.resolve(settled).then(() => next(), next);
    });
    return;
  }
  const fastify = app.getHttpAdapter().getInstance() as {
    addHook(name: "onRequest", hook: (request: FastifyRequest, reply: FastifyReply) => Promise<void>): void;
  };
  fastify.addHook("onRequest", async (request, reply) => {
    await before?.({
      request: request.raw,
      response: reply.raw,
      setHeader: (name, value) => void reply.header(name, value),
      setUser: (user) => void Object.assign(request, { user }),
    });
  });
}

function write(response: Response | FastifyReply, answer: Reply): void {
  const { status = 200, headers = {}, body } = typeof answer === "string" ? { body: answer } : answer;
  if ("raw" in response) {
    void response
      .code(status)
      .headers({ ...headers })
      .send(body);
    return;
  }
  response.status(status).set(headers);
  if (typeof body === "string") response.send(body);
  else pipeline(body, response, () => {});
}
