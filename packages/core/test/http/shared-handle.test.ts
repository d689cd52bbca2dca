import { createHttpLimiter, shareHandle } from "../../src/adapter.ts";
import type { RequestHandle } from "../../src/adapter.ts";
import { FakeExchange } from "./fake-exchange.ts";

interface App {
  request: object;
  parent?: App;
}

type Shown = object & { rateLimit?: RequestHandle | undefined };

/** A request of an app of Express's kind, which some limiter has met. */
function met(app?: App): Shown {
  const exchange = new FakeExchange();
  if (app !== undefined) {
    Object.setPrototypeOf(exchange.raw, app.request);
    Object.assign(exchange.raw, { app });
  }
  const http = createHttpLimiter<object>({ limit: "5/minute" }, { name: "test" });
  void http.meet(exchange, exchange);
  shareHandle(exchange.raw);
  return exchange.raw;
}

const own = (request: Shown): boolean => Object.hasOwn(request, "rateLimit");

describe("req.rateLimit", () => {
  // What others write is noticed for good, so these come first.
  test("is inherited from the application", () => {
    const app = { request: {} };
    for (const request of [met(app), met(app)]) {
      expect(request.rateLimit?.remaining).toBe(4);
      expect(own(request)).toBe(false);
    }
  });

  test("is inherited from the outermost application, so that it is there outside of the mounted one too", () => {
    const outer: App = { request: {} };
    const inner: App = { request: Object.create(outer.request) as object, parent: outer };
    const request = met(inner);
    expect(request.rateLimit?.remaining).toBe(4);
    Object.setPrototypeOf(request, outer.request);
    expect(request.rateLimit?.remaining).toBe(4);
    expect(met(outer).rateLimit?.remaining).toBe(4);
  });

  test("is undefined on requests that no limiter met", () => {
    const app = { request: {} };
    met(app);
    expect((Object.create(app.request) as Shown).rateLimit).toBeUndefined();
  });

  test("is the request's own where there is no application, or one that uses the name", () => {
    const plain = met();
    expect([own(plain), plain.rateLimit?.remaining]).toEqual([true, 4]);
    const taken = met({ request: { rateLimit: "theirs" } });
    expect([own(taken), taken.rateLimit?.remaining]).toEqual([true, 4]);
  });

  test("leaves alone what cannot be written", () => {
    const request: Shown = met({ request: Object.defineProperty({}, "rateLimit", { get: () => "theirs" }) });
    expect(request.rateLimit).toBe("theirs");
  });

  test("whoever writes last is seen, whether it is this limiter or another library", () => {
    const app = { request: {} };
    const request = met(app);
    Object.assign(request, { rateLimit: "theirs" });
    expect(request.rateLimit).toBe("theirs");
    shareHandle(request);
    expect(request.rateLimit?.remaining).toBe(4);
    const next = met(app);
    expect([own(next), next.rateLimit?.remaining]).toEqual([true, 4]);
  });
});
