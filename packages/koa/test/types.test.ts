import { Router } from "@koa/router";
import { expectTypeOf } from "expect-type";
import Koa, { type Context, type Middleware } from "koa";
import Koa2 from "koa2";
import { rateLimit, user, type RateLimit, type RateLimitState, type RequestHandle } from "../src/index.ts";

test("class names are those that were declared", () => {
  const limit = rateLimit({ limit: "100/minute", classes: { read: 1, export: { cost: 50 } }, defaultClass: "read" });
  expectTypeOf(limit).toEqualTypeOf<RateLimit<"read" | "export">>();
  expectTypeOf(limit.forClass).parameter(0).toEqualTypeOf<"read" | "export">();
  expectTypeOf(limit.forClass("export")).toExtend<Middleware>();
  // @ts-expect-error no such class
  expect(() => limit.forClass("exprot")).toThrow(/"export"/);
});

test("functions are given Koa's own context", () => {
  rateLimit({
    limit: "1/minute",
    key: user(({ raw }) => {
      expectTypeOf(raw).toEqualTypeOf<Context>();
      return raw.get("x-user");
    }),
    respond: (_request, { response }) => {
      expectTypeOf(response).toEqualTypeOf<Context>();
      return "later";
    },
  });
});

test("middleware finds ctx.state.rateLimit", () => {
  new Koa().use((ctx) => {
    expectTypeOf(ctx.state.rateLimit).toEqualTypeOf<RequestHandle>();
  });
});

test("the middleware fits Koa 3, Koa 2, applications with types of their own, and @koa/router", () => {
  interface State extends RateLimitState {
    readonly session: string;
  }
  const limit = rateLimit({ limit: "100/minute", classes: { read: 1 } });
  new Koa().use(limit).use(limit.forClass("read"));
  new Koa<State, { readonly tenant: string }>().use(limit).use((ctx) => {
    expectTypeOf(ctx.state.rateLimit).toEqualTypeOf<RequestHandle>();
    expectTypeOf(ctx.tenant).toEqualTypeOf<string>();
  });
  new Koa2().use(limit);
  new Router().use(limit).get("/", limit.forClass("read"), (ctx) => {
    expectTypeOf(ctx.state.rateLimit).toEqualTypeOf<RequestHandle>();
  });
});

test("options that do not exist or fit are refused", () => {
  // @ts-expect-error misspelt
  expect(() => rateLimit({ limt: "100/minute" })).toThrow(/did you mean "limit"/);
});
