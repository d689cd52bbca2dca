import { expectTypeOf } from "expect-type";
import { fastify, type FastifyReply, type FastifyRequest } from "fastify";
import { rateLimit, type FastifyRateLimit, type RequestHandle, type RouteRateLimit } from "../src/index.ts";

test("instances, requests and routes are typed", async () => {
  const app = fastify();
  await app.register(rateLimit, { limit: "100/minute", classes: { export: 50 }, hook: "preHandler" });
  expectTypeOf(app.rateLimit).toEqualTypeOf<FastifyRateLimit>();
  expectTypeOf(app.aforo).toEqualTypeOf<FastifyRateLimit>();
  app.get("/", { config: { rateLimit: "export" }, onRequest: app.rateLimit.forClass("export") }, async (request) => {
    expectTypeOf(request.rateLimit).toEqualTypeOf<RequestHandle>();
    expectTypeOf(request.routeOptions.config.rateLimit).toEqualTypeOf<RouteRateLimit | undefined>();
  });
  app.get("/free", { config: { rateLimit: false }, preValidation: [app.rateLimit.forClass("export")] }, async () => "");
  app.get("/own", { config: { rateLimit: { cost: 5, limit: "10/minute" } } }, async () => "");
  await app.close();
});

test("functions are given Fastify's own request and reply", async () => {
  const app = fastify();
  await app.register(rateLimit, {
    limit: ({ raw }) => {
      expectTypeOf(raw).toEqualTypeOf<FastifyRequest>();
      return "1/minute";
    },
    key: ({ raw }) => raw.id,
    respond: (_request, { response }) => {
      expectTypeOf(response).toEqualTypeOf<FastifyReply>();
      return "later";
    },
  });
  await app.close();
});

test("options that do not exist or fit are refused", async () => {
  const app = fastify();
  // @ts-expect-error no such hook
  await expect(app.register(rateLimit, { limit: "1/minute", hook: "onSend" })).rejects.toThrow(/"hook"/);
});
