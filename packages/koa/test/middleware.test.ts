import { Router } from "@koa/router";
import { manualClock } from "@aforo/testkit";
import Koa, { type Middleware } from "koa";
import request from "supertest";
import { memoryStore, rateLimit, route, type RateLimit, type RateLimitOptions } from "../src/index.ts";

/** A limiter of so many units per minute whose clock stands still. */
function limiter(units: number, options: RateLimitOptions = {}): RateLimit {
  const store = memoryStore({ clock: manualClock() });
  return rateLimit<string>({ limit: `${units}/minute`, algorithm: "fixed-window", store, ...options });
}

const ok: Middleware = (ctx) => {
  ctx.body = "ok";
};

const statuses = async (app: { callback: Koa["callback"] }, paths: readonly string[]): Promise<number[]> => {
  const serve = app.callback();
  const seen = [];
  for (const path of paths) seen.push((await request(serve).get(path)).status);
  return seen;
};

describe("what is a route", () => {
  test("its pattern, also under a prefix and in nested routers", async () => {
    const limit = limiter(1, { key: route() });
    const nested = new Router().get("/posts/:id", limit, ok);
    const router = new Router().get("/users/:id", limit, ok).use("/blogs/:blog", nested.routes());
    const app = new Koa().use(router.routes());
    expect(await statuses(app, ["/users/1", "/users/2", "/blogs/1/posts/1", "/blogs/2/posts/2"])).toEqual([
      200, 429, 200, 429,
    ]);
  });

  test("unknown to middleware in front of the router, which then counts by address", async () => {
    const app = new Koa().use(limiter(1, { key: route() })).use(new Router().get("/a", ok).get("/b", ok).routes());
    expect(await statuses(app, ["/a", "/b"])).toEqual([200, 429]);
  });

  test("the one whose middleware runs, where several match", async () => {
    const limit = limiter(1, { key: route() });
    const passOn: Middleware = (_ctx, next) => next();
    const router = new Router().get("/users/:id", limit, passOn).get("/users/me", ok);
    const app = new Koa().use(router.routes());
    expect(await statuses(app, ["/users/me", "/users/7"])).toEqual([200, 429]);
  });

  test("known to middleware of the router", async () => {
    const router = new Router()
      .use(limiter(1, { key: route() }))
      .get("/a", ok)
      .get("/b", ok);
    expect(await statuses(new Koa().use(router.routes()), ["/a", "/b", "/a", "/b"])).toEqual([200, 200, 429, 429]);
  });
});

test("A42 ctx.throw and errors of the app stay what they are behind the limiter", async () => {
  const app = new Koa();
  app.silent = true;
  app.use(limiter(5)).use((ctx) => ctx.throw(418, "short and stout"));
  const answer = await request(app.callback()).get("/");
  expect([answer.status, answer.text]).toEqual([418, "short and stout"]);
});

test("A42 a thrown refusal goes through the middleware in front of the limiter", async () => {
  const seen: unknown[] = [];
  const app = new Koa().use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      seen.push(error);
      ctx.throw(error as Error);
    }
  });
  app.silent = true;
  app.use(limiter(0, { rejectWith: "throw" })).use(ok);
  const answer = await request(app.callback()).get("/");
  expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([429, "0"]);
  expect(seen).toMatchObject([{ status: 429, expose: true }]);
});

test("forClass names an unknown class at once, and the nearest known one", () => {
  const limit = limiter(100, { classes: { export: 50 } });
  expect(() => limit.forClass("exprot")).toThrow(/forClass.*"export"/);
});

describe("A25 the setting of proxy", () => {
  const ask = async (options: ConstructorParameters<typeof Koa>[0]): Promise<unknown[]> => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const app = new Koa(options).use(limiter(10)).use(ok);
    await request(app.callback()).get("/").set("x-forwarded-for", "198.51.100.1, 203.0.113.9");
    const codes = warn.mock.calls.map(([, given]) => (given as unknown as { code: string }).code);
    warn.mockRestore();
    return codes;
  };

  test("without maxIpsCount is warned of, since clients can forge their address", async () => {
    expect(await ask({ proxy: true })).toEqual(["AFORO_PROXY_TRUST_UNCONDITIONAL"]);
  });

  test("false is warned of behind a proxy, since all clients look alike", async () => {
    expect(await ask({})).toEqual(["AFORO_PROXY_UNTRUSTED"]);
  });

  test("with maxIpsCount is not", async () => {
    expect(await ask({ proxy: true, maxIpsCount: 1 })).toEqual([]);
  });
});

test("a refusal that respond makes of bytes is sent as they are", async () => {
  const respond = () => ({ headers: { "Content-Type": "image/gif" }, body: new Uint8Array([71, 73, 70]) });
  const app = new Koa().use(limiter(0, { respond })).use(ok);
  const answer = await request(app.callback()).get("/");
  expect([answer.status, answer.headers["content-type"], answer.body]).toEqual([429, "image/gif", Buffer.from("GIF")]);
});
