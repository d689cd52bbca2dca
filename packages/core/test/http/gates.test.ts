import { byRoute } from "../../src/http/by-route.ts";
import { user } from "../../src/identity/user.ts";
import { fixed, limit } from "./serve.ts";

describe("A45 skip is decided before counting", () => {
  test("an asynchronous skip that says true leaves a request uncounted and without headers", async () => {
    const { statuses, get } = fixed("1/minute", { skip: async (request) => request.path === "/health" });
    expect(await statuses(3, { path: "/health" })).toEqual([200, 200, 200]);
    expect([...(await get({ path: "/health" })).exchange.sent.keys()]).toEqual([]);
    expect(await statuses(2, { path: "/a" })).toEqual([200, 429]);
  });

  test.each([1, "yes", {}, [], null, undefined, false])("%p is no consent", async (answer) => {
    for (const skip of [() => answer, async () => answer]) {
      expect(await fixed("1/minute", { skip: skip as () => boolean }).statuses(2)).toEqual([200, 429]);
    }
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("skip");
      },
    ],
    ["rejects", () => Promise.reject(new Error("skip"))],
    ["never answers", () => new Promise<boolean>(() => {})],
  ])("one that %s does not skip, and is an event", async (_, skip) => {
    const subject = fixed("1/minute", { skip, identityTimeoutMs: 10 });
    expect(await subject.statuses(2)).toEqual([200, 429]);
    expect(subject.events.map(({ type }) => type)).toEqual(["skip-failed", "skip-failed"]);
  });

  test("handlers are told that nothing was counted", async () => {
    const { http, get } = fixed("1/minute", { skip: () => true });
    const handle = http.handleOf((await get()).exchange.raw);
    expect(handle).toMatchObject({ skipped: true, decision: undefined, limit: undefined, remaining: undefined });
    await handle?.charge(5);
    expect(handle?.explain()).toContain("Not counted");
  });
});

describe("allow and deny lists", () => {
  test.each([
    ["10.1.2.3", "10.0.0.0/8", true],
    ["11.1.2.3", "10.0.0.0/8", false],
    ["::ffff:10.1.2.3", "10.0.0.0/8", true],
    ["10.1.2.3:4711", "10.0.0.0/8", true],
    ["192.0.2.1", "192.0.2.1", true],
    ["192.0.2.2", "192.0.2.1", false],
    ["192.0.2.1", "::ffff:192.0.2.0/120", true],
    ["2001:db8::5", "2001:db8::/32", true],
    ["2001:db9::5", "2001:db8::/32", false],
    ["fe80::1%eth0", "fe80::/10", true],
    ["::1", "::1", true],
    ["203.0.113.1", "0.0.0.0/0", true],
    [undefined, "0.0.0.0/0", false],
    ["made up", "0.0.0.0/0", false],
  ])("%s is in %s: %s", async (ip, range, inside) => {
    expect((await fixed("0/minute", { allow: [range] }).get({ ip })).status).toBe(inside ? 200 : 429);
    expect((await fixed("9/minute", { deny: [range] }).get({ ip })).status).toBe(inside ? 403 : 200);
  });

  test("keys are in lists as their extractors name them", async () => {
    const options = { key: user((request) => request.user?.id) };
    const admin = { user: { id: "admin" } };
    expect(await fixed("1/minute", { ...options, allow: [user.key("admin")] }).statuses(3, admin)).toEqual([
      200, 200, 200,
    ]);
    expect(await fixed("1/minute", { ...options, allow: [user.key("admin")] }).statuses(2)).toEqual([200, 429]);
    expect(await fixed("9/minute", { ...options, deny: [user.key("admin")] }).statuses(2, admin)).toEqual([403, 403]);
  });

  test("a denied caller gets 403, no quota, no time to come back at, and is not counted", async () => {
    const { get, http } = fixed("5/minute", { deny: ["203.0.113.0/24"], allow: ["203.0.113.1"], skip: () => true });
    const answer = await get();
    expect(answer.status).toBe(403);
    expect([...answer.exchange.sent.keys()].sort()).toEqual(["cache-control", "content-type"]);
    expect(answer.json).toMatchObject({ title: "Forbidden", status: 403 });
    expect((await http.limiter.peek("ip:203.0.113.1")).policies[0]?.remaining).toBe(5);
  });
});

describe("requests that are exempt by option", () => {
  const preflight = {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": "POST" },
  };

  test("CORS preflights count, unless told otherwise; any other OPTIONS counts always", async () => {
    expect(await fixed("1/minute").statuses(2, preflight)).toEqual([200, 429]);
    const { statuses } = fixed("1/minute", { skipPreflight: true });
    expect(await statuses(3, preflight)).toEqual([200, 200, 200]);
    expect(await statuses(1, { method: "OPTIONS", headers: { origin: "https://app.example" } })).toEqual([200]);
    expect(await statuses(1, { ...preflight, method: "GET" })).toEqual([429]);
  });

  test("404s count, unless told otherwise, where the framework knows them beforehand", async () => {
    expect(await fixed("1/minute").statuses(2, { notFound: true })).toEqual([200, 429]);
    const { statuses } = fixed("1/minute", { skipNotFound: true });
    expect(await statuses(3, { notFound: true })).toEqual([200, 200, 200]);
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test("where it learns them afterwards, they are given back; a handler's own 404 is not", async () => {
    const subject = fixed("2/minute", { skipNotFound: true });
    const unmatched = await subject.get();
    unmatched.exchange.end(404);
    const missing = await subject.get();
    missing.exchange.route = "/users/:id";
    missing.exchange.end(404);
    expect((await subject.get()).header("x-ratelimit-remaining")).toBe("0");
  });

  test("HEAD counts as any other method", async () => {
    expect(await fixed("1/minute").statuses(2, { method: "HEAD" })).toEqual([200, 429]);
  });
});

describe("classes by method and route", () => {
  const login = {
    classes: { login: { limit: "1/minute" } },
    policies: [],
    classify: byRoute({ "POST /login": "login" }),
  } as const;

  test("A55 a route's limit cannot be dodged by letter case, slashes, encoding or a query", async () => {
    const { get } = limit(login);
    const statuses: number[] = [];
    for (const path of ["/login", "/LOGIN", "/login/", "//login", "/%6Cogin", "/Login/"])
      statuses.push((await get({ method: "POST", path })).status);
    expect(statuses).toEqual([200, 429, 429, 429, 429, 429]);
    expect((await get({ method: "GET", path: "/login" })).status).toBe(200);
    expect((await get({ method: "POST", path: "/login/help" })).status).toBe(200);
  });

  test.each([
    ["/users/:id", "/users/42", undefined, true],
    ["/users/:id", "/users/42/posts", undefined, false],
    ["/users/:id", "/anything", "/users/:id", true],
    ["/users/:id", "/users/42", "/users/:userId", true],
    ["/reports/*", "/reports/2023/11", undefined, true],
    ["/reports/*", "/reports", undefined, true],
    ["/reports/*", "/report", undefined, false],
    ["/", "/", undefined, true],
    ["/", "/a", undefined, false],
    ["/a%b", "/a%b", undefined, true],
  ])("rule %s and path %s with the pattern %s: %s", (rule, path, route, fits) => {
    const classify = byRoute({ [rule]: "x" });
    expect(classify({ method: "GET", path, route } as never)).toBe(fits ? "x" : undefined);
  });

  test("the first rule that fits decides, and HEAD is GET", () => {
    const classify = byRoute({ "GET /a": "first", "/a": "second" });
    expect(classify({ method: "HEAD", path: "/a" } as never)).toBe("first");
    expect(classify({ method: "PUT", path: "/a" } as never)).toBe("second");
  });

  test.each(["login", "POST", "", "POST login", "GET  "])("%j is no rule", (rule) => {
    expect(() => byRoute({ [rule]: "x" })).toThrow(/byRoute/);
  });
});
