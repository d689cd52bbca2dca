import { manualClock, quota } from "@aforo/testkit";
import express, { type Express, type RequestHandler } from "express";
import request from "supertest";
import { ip, memoryStore, rateLimit, route, type RateLimit, type RateLimitOptions } from "../src/index.ts";

/** A limiter of so many units per minute whose clock stands still. */
function limiter(units: number, options: RateLimitOptions = {}): RateLimit {
  const store = memoryStore({ clock: manualClock() });
  return rateLimit<string>({ limit: `${units}/minute`, algorithm: "fixed-window", store, ...options });
}

const ok: RequestHandler = (_req, res) => void res.send("ok");

const statuses = async (app: Express, paths: readonly string[]): Promise<number[]> => {
  const seen = [];
  for (const path of paths) seen.push((await request(app).get(path)).status);
  return seen;
};

describe("what is a route", () => {
  test("its pattern, also under a router and however the router's path is spelt", async () => {
    const limit = limiter(1, { key: route() });
    const router = express.Router().get("/users/:id", limit, ok);
    const app = express().use("/api", router).get("/users/:id", limit, ok);
    expect(await statuses(app, ["/api/users/1", "/api/users/2", "/API/users/3", "/users/1", "/users/2"])).toEqual([
      200, 429, 429, 200, 429,
    ]);
  });

  test("one of several patterns, or an expression", async () => {
    const limit = limiter(1, { key: route() });
    const app = express()
      .get(["/a", "/b"], limit, ok)
      .get(/^\/c\d+$/, limit, ok);
    expect(await statuses(app, ["/a", "/b", "/c1", "/c2"])).toEqual([200, 429, 200, 429]);
  });

  test("unknown to middleware in front of it, which then counts by address", async () => {
    const app = express()
      .use(limiter(1, { key: route() }))
      .get("/a", ok)
      .get("/b", ok);
    expect(await statuses(app, ["/a", "/b"])).toEqual([200, 429]);
  });
});

test("a limiter under a path limits what is under it", async () => {
  const app = express().use("/api", limiter(1)).get("/api/a", ok).get("/b", ok);
  expect(await statuses(app, ["/b", "/api/a", "/api/a", "/b"])).toEqual([200, 200, 429, 200]);
});

test("a limiter of an app counts for the app mounted in it, and what is skipped there is known by its whole path", async () => {
  const inner = express()
    .use(limiter(1, { skip: ({ path }) => path === "/inner/free" }))
    .get("/free", ok)
    .get("/a", ok);
  const app = express().use("/inner", inner);
  expect(await statuses(app, ["/inner/free", "/inner/free", "/inner/a", "/inner/a"])).toEqual([200, 200, 200, 429]);
});

test("forClass names an unknown class at once, and the nearest known one", () => {
  const limit = limiter(100, { classes: { export: 50 } });
  expect(() => limit.forClass("exprot")).toThrow(/forClass.*"export"/);
});

test("the limiter stands alone for what is done by hand", async () => {
  const limit = limiter(1);
  const app = express().use(limit).get("/", ok);
  expect(await statuses(app, ["/", "/"])).toEqual([200, 429]);
  await limit.limiter.reset(ip.key("127.0.0.1"));
  expect(await statuses(app, ["/"])).toEqual([200]);
});

test("the authenticated user of passport's kind is counted", async () => {
  const authenticate: RequestHandler = (req, _res, next) => {
    Object.assign(req, { user: { id: req.headers["x-user"] } });
    next();
  };
  const app = express().use(authenticate, limiter(1)).get("/", ok);
  const ask = (user: string) => request(app).get("/").set("x-user", user);
  expect((await ask("ann")).status).toBe(200);
  expect((await ask("bob")).status).toBe(200);
  expect((await ask("ann")).status).toBe(429);
});

describe("A25 the setting of trust proxy", () => {
  const ask = async (trust: unknown): Promise<unknown[]> => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const app = express().set("trust proxy", trust).use(limiter(10)).get("/", ok);
    await request(app).get("/").set("x-forwarded-for", "198.51.100.1, 203.0.113.9");
    const codes = warn.mock.calls.map(([, options]) => (options as unknown as { code: string }).code);
    warn.mockRestore();
    return codes;
  };

  test("true is warned of, since clients can forge their address", async () => {
    expect(await ask(true)).toEqual(["AFORO_PROXY_TRUST_UNCONDITIONAL"]);
  });

  test("false is warned of behind a proxy, since all clients look alike", async () => {
    expect(await ask(false)).toEqual(["AFORO_PROXY_UNTRUSTED"]);
  });

  test.each([1, "loopback", ["loopback", "10.0.0.0/8"], () => true])("%p is not", async (trust) => {
    expect(await ask(trust)).toEqual([]);
  });
});

test("a response that another middleware has begun is neither written to nor thrown at", async () => {
  const begun: RequestHandler = (_req, res, next) => {
    res.write("early ");
    next();
  };
  const end: RequestHandler = (_req, res) => void res.end("late");
  const app = express().use(begun, limiter(1)).get("/", end);
  const answer = await request(app).get("/");
  expect([answer.status, answer.text, answer.headers["x-ratelimit-limit"]]).toEqual([200, "early late", undefined]);
});

test("headers do not wait for the handler", async () => {
  const limit = limiter(5);
  const app = express().use(limit, (_req, res) => {
    res.writeHead(201);
    res.end();
  });
  const answer = await request(app).get("/");
  expect(answer.headers["x-ratelimit-remaining"]).toBe("4");
  expect(quota({ headers: answer.headers } as never)).toMatchObject({ limit: 5 });
});
