import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expectTypeOf } from "expect-type";
import express, { type Request, type RequestHandler, type Response } from "express";
import { ip, rateLimit, user, type Decision, type RateLimit, type RequestHandle } from "../src/index.ts";

test("class names are those that were declared", () => {
  const limit = rateLimit({ limit: "100/minute", classes: { read: 1, export: { cost: 50 } }, defaultClass: "read" });
  expectTypeOf(limit).toEqualTypeOf<RateLimit<"read" | "export">>();
  expectTypeOf(limit.forClass).parameter(0).toEqualTypeOf<"read" | "export">();
  expectTypeOf(limit.forClass("export")).toExtend<RequestHandler>();
  // @ts-expect-error no such class
  expect(() => limit.forClass("exprot")).toThrow(/"export"/);
  // @ts-expect-error no such class
  expect(() => rateLimit({ limit: "100/minute", classes: { read: 1 }, defaultClass: "raed" })).toThrow(/"read"/);
  // @ts-expect-error without classes there is none to name
  expect(() => rateLimit({ limit: "1/minute" }).forClass("read")).toThrow(/declares none/);
});

test("functions are given Express's own request and response", () => {
  rateLimit({
    limit: ({ raw }) => {
      expectTypeOf(raw).toEqualTypeOf<Request>();
      return "1/minute";
    },
    key: user(({ raw }) => raw.get("x-user")),
    respond: (_request, { response, decision }) => {
      expectTypeOf(response).toEqualTypeOf<Response>();
      expectTypeOf(decision).toEqualTypeOf<Decision | undefined>();
      return "later";
    },
    settle: ({ raw }) => (raw.statusCode === 200 ? undefined : 0),
  });
});

test("handlers find req.rateLimit", () => {
  express().get("/", (req) => {
    expectTypeOf(req.rateLimit).toEqualTypeOf<RequestHandle>();
    expectTypeOf(req.rateLimit.remaining).toEqualTypeOf<number | undefined>();
  });
});

test("the middleware fits applications and routers", () => {
  const limit = rateLimit({ limit: "100/minute", classes: { read: 1 } });
  express().use(limit).get("/", limit, limit.forClass("read"));
  express.Router().use("/api", limit);
});

test("keys are named by hand as text", async () => {
  const { limiter } = rateLimit({ limit: "100/minute" });
  expectTypeOf(ip.key("203.0.113.9")).toEqualTypeOf<string>();
  await limiter.reset(user.key("42"));
});

test("options that do not exist or fit are refused", () => {
  // @ts-expect-error misspelt
  expect(() => rateLimit({ limt: "100/minute" })).toThrow(/did you mean "limit"/);
  // @ts-expect-error a number where a text is due
  expect(() => rateLimit({ limit: "100/minute", name: 5 })).toThrow(/"name"/);
});

test("the sources and these tests compile against the types of Express 4 too", async () => {
  const folder = join(__dirname, "..");
  const compiler = join(folder, "..", "..", "node_modules", "typescript", "bin", "tsc");
  await promisify(execFile)(process.execPath, [compiler, "--noEmit", "-p", join(folder, "tsconfig.express4.json")]);
}, 120_000);
