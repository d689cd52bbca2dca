import { IncomingMessage } from "node:http";
import { createHttpLimiter, shareHandle } from "../../src/adapter.ts";
import type { RequestHandle } from "../../src/adapter.ts";
import { FakeExchange } from "./fake-exchange.ts";

type Shown = object & { rateLimit?: RequestHandle | undefined };

/** What all requests of a framework inherit from: `express.request`. */
const baseOf = (members: object = {}): object => Object.setPrototypeOf(members, IncomingMessage.prototype) as object;

/** A request that inherits from `parent`, which some limiter has met. */
function met(parent: object = Object.prototype, own: object = {}): Shown {
  const exchange = new FakeExchange();
  Object.assign(Object.setPrototypeOf(exchange.raw, parent) as object, own);
  const http = createHttpLimiter<object>({ limit: "5/minute" }, { name: "test" });
  void http.meet(exchange, exchange);
  shareHandle(exchange.raw);
  return exchange.raw;
}

const own = (request: Shown): boolean => Object.hasOwn(request, "rateLimit");

describe("req.rateLimit", () => {
  test("is inherited from what all requests of the framework inherit from", () => {
    const base = baseOf();
    const [app, another] = [Object.create(base) as object, Object.create(base) as object];
    for (const request of [met(app), met(app), met(another)]) {
      expect(request.rateLimit?.remaining).toBe(4);
      expect(own(request)).toBe(false);
      // As it is handed on to another application, mounted or called.
      Object.setPrototypeOf(request, Object.create(another) as object);
      expect(request.rateLimit?.remaining).toBe(4);
    }
  });

  test("is undefined on requests that no limiter met", () => {
    const base = baseOf();
    met(base);
    expect((Object.create(base) as Shown).rateLimit).toBeUndefined();
  });

  test("is the request's own where there is no such base, or one that uses the name or is frozen", () => {
    const bases = [
      Object.prototype,
      IncomingMessage.prototype,
      baseOf({ rateLimit: "theirs" }),
      Object.freeze(baseOf()),
    ];
    for (const request of bases.map((base) => met(base))) {
      expect([own(request), request.rateLimit?.remaining]).toEqual([true, 4]);
    }
    expect("rateLimit" in IncomingMessage.prototype).toBe(false);
    expect(met(Object.prototype, { app: null }).rateLimit?.remaining).toBe(4);
  });

  test("leaves alone what cannot be written", () => {
    const request = met(Object.defineProperty({}, "rateLimit", { get: () => "theirs" }));
    expect(request.rateLimit).toBe("theirs");
  });

  test("whoever writes last is seen, whether it is this limiter or another library", () => {
    const base = baseOf();
    // Before any limiter met a request, and behind that.
    for (const request of [met(base, { rateLimit: "theirs" }), met(base, { rateLimit: "theirs" }), met(base)]) {
      expect(request.rateLimit?.remaining).toBe(4);
      Object.assign(request, { rateLimit: "theirs" });
      expect(request.rateLimit).toBe("theirs");
      shareHandle(request);
      expect(request.rateLimit?.remaining).toBe(4);
    }
  });
});
