import { FakeExchange } from "./fake-exchange.ts";
import { fixed, limit, read, type Options, type Subject } from "./serve.ts";
import { promisedStore } from "../support/promised-store.ts";

/** The answer to the request after the last that was admitted. */
async function denied(options: Options = {}, asked: ConstructorParameters<typeof FakeExchange>[0] = {}) {
  const subject = fixed("1/minute", options);
  await subject.get();
  return subject.get(asked);
}

describe("a rejection", () => {
  test("is a 429 with the wait, and with problem details that name the violated policies", async () => {
    const answer = await denied({ name: "api" });
    expect(answer.status).toBe(429);
    expect(answer.header("retry-after")).toBe("60");
    expect(answer.header("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(answer.json).toEqual({
      type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
      title: "Too Many Requests",
      status: 429,
      detail: "The quota is used up. Retry in 60 seconds.",
      "violated-policies": ["api"],
      "retry-after": 60,
    });
  });

  test("names only the policies that deny, and nothing of the caller", async () => {
    const { get } = limit({
      policies: [
        { name: "minute", limit: "1/minute", key: (request) => ["SECRET", request.ip ?? ""] },
        { name: "hour", limit: "9/hour" },
        { name: "trial", limit: "1/hour", mode: "shadow" },
      ],
    });
    await get();
    const answer = await get();
    expect(answer.json["violated-policies"]).toEqual(["minute"]);
    expect(answer.body + [...answer.exchange.sent.values()].join()).not.toMatch(/SECRET|203\.0\.113/);
  });

  test("A16 is never stored, nor does it carry what the application said of the answer that is not given", async () => {
    const set = {
      "Cache-Control": "public, max-age=300",
      ETag: '"v1"',
      "Last-Modified": "Tue, 14 Nov 2023 00:00:00 GMT",
      Expires: "Tue, 14 Nov 2023 01:00:00 GMT",
      "CDN-Cache-Control": "max-age=600",
      "X-Other": "stays",
    };
    const { get } = fixed("1/minute");
    const admitted = await get({ set });
    expect(admitted.header("cache-control")).toBe("public, max-age=300");
    expect(admitted.header("etag")).toBe('"v1"');
    const answer = await get({ set });
    expect(answer.header("cache-control")).toBe("no-store");
    for (const name of ["etag", "last-modified", "expires", "cdn-cache-control"])
      expect(answer.header(name)).toBeUndefined();
    expect(answer.header("x-other")).toBe("stays");
  });

  test.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"],
    ["text/plain", "text"],
    ["TEXT/PLAIN", "text"],
    ["text/*", "text"],
    ["text/plain, */*", "text"],
    ["text/plain;q=0.5, application/json;q=0.4", "text"],
    ["text/plain;q=0.4, application/problem+json", "json"],
    ["text/plain, application/json", "json"],
    ["text/plain;q=0, */*", "json"],
    ["text/plain;q=0", "json"],
    ["text/plain;q=high", "text"],
    ["application/*;q=0.2, text/*;q=0.3", "text"],
    ["image/png", "json"],
    [",;q=,text/", "json"],
  ])("to a client that accepts %j is %s", async (accept, kind) => {
    const answer = await denied({}, accept === undefined ? {} : { headers: { accept } });
    expect(answer.header("content-type")).toContain(kind === "json" ? "application/problem+json" : "text/plain");
    if (kind === "text") expect(answer.body).toBe("Too Many Requests. The quota is used up. Retry in 60 seconds.\n");
  });

  test("with a body that nobody has read closes the connection, for it would have to be read otherwise", async () => {
    expect((await denied({}, { unreadBody: true })).header("connection")).toBe("close");
    expect((await denied()).header("connection")).toBeUndefined();
  });

  test("A52 of a cost above the capacity says that it can never be admitted, and no time to come back at", async () => {
    const { get } = fixed("10/minute", { cost: (request) => (request.path === "/dear" ? 11 : 1) });
    const answer = await get({ path: "/dear", set: { "Retry-After": "5" } });
    expect(answer.status).toBe(429);
    expect(answer.header("retry-after")).toBeUndefined();
    expect(answer.header("x-ratelimit-remaining")).toBe("10");
    expect(answer.json["type"]).toMatch(/cost-above-limit$/);
    expect(answer.json["detail"]).toContain("never");
    expect(answer.error?.retryAfter).toBeUndefined();
    expect((await get()).header("x-ratelimit-remaining")).toBe("9");
  });

  test("of a blocked key is a 429 with the end of the block as its wait", async () => {
    const { http, get } = fixed("5/minute");
    await http.limiter.block("ip:203.0.113.1", 90_000);
    const answer = await get();
    expect(answer.header("retry-after")).toBe("90");
    expect(answer.json["type"]).toMatch(/abnormal-usage-detected$/);
  });
});

describe("a store that fails", () => {
  const failing = (): Options => {
    const store = promisedStore({} as never);
    return { store: { ...store, consume: () => Promise.reject(new Error("gone")) } };
  };

  test("answers 503 and a wait when it fails closed, and invents no quota", async () => {
    const { get } = limit({ limit: "5/minute", onStoreError: "deny", ...failing() });
    const answer = await get();
    expect(answer.status).toBe(503);
    expect(answer.header("retry-after")).toBe("1");
    expect(answer.header("x-ratelimit-limit")).toBeUndefined();
    expect(answer.json["type"]).toMatch(/temporary-reduced-capacity$/);
    expect(answer.json["violated-policies"]).toBeUndefined();
    expect(answer.error).toMatchObject({ code: "ERR_AFORO_STORE_UNAVAILABLE", status: 503 });
  });

  test("lets requests through without quota headers when it fails open", async () => {
    const { get } = limit({ limit: "5/minute", onStoreError: "allow", headers: { draft: "draft-11" }, ...failing() });
    const answer = await get();
    expect(answer.status).toBe(200);
    expect([...answer.exchange.sent.keys()]).toEqual([]);
  });

  test("is replaced by this process otherwise, and the headers are those of its count", async () => {
    const { get, statuses } = limit({ limit: "2/minute", algorithm: "fixed-window", ...failing() });
    expect((await get()).header("x-ratelimit-remaining")).toBe("1");
    expect(await statuses(2)).toEqual([200, 429]);
  });
});

describe("respond", () => {
  test("A41 makes the body, and the status stays 429 with all headers", async () => {
    const answer = await denied({ respond: () => ({ error: "slow" }) });
    expect(answer.status).toBe(429);
    expect(answer.json).toEqual({ error: "slow" });
    expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.header("retry-after")).toBe("60");
    expect(answer.header("x-ratelimit-remaining")).toBe("0");
  });

  const answers: readonly [string, () => unknown, string, string, number][] = [
    ["text", () => "slow down", "slow down", "text/plain; charset=utf-8", 429],
    ["bytes", () => Buffer.from("slow"), "slow", "application/octet-stream", 429],
    ["a promise", async () => "later", "later", "text/plain; charset=utf-8", 429],
    [
      "a whole response",
      () => ({ status: 418, body: { short: true }, headers: { "X-Pot": "tea" } }),
      '{"short":true}',
      "application/json; charset=utf-8",
      418,
    ],
    [
      "a type of its own",
      () => ({ headers: { "content-type": "text/html" }, body: "<p>slow</p>" }),
      "<p>slow</p>",
      "text/html",
      429,
    ],
    ["null", () => null, "null", "application/json; charset=utf-8", 429],
  ];

  test.each(answers)("may answer %s", async (_, respond, body, type, status) => {
    const answer = await denied({ respond });
    expect([answer.status, answer.body, answer.header("content-type")]).toEqual([status, body, type]);
    expect(answer.header("retry-after")).toBe("60");
  });

  test("answering nothing leaves it to the ordinary body", async () => {
    expect((await denied({ respond: () => undefined })).json["status"]).toBe(429);
  });

  test("is told what was decided, and may use the framework's response", async () => {
    const seen: unknown[] = [];
    await denied({ respond: (request, rejection) => void seen.push(request.method, rejection) });
    expect(seen).toMatchObject([
      "GET",
      { status: 429, violated: ["default"], retryAfter: 60, response: "the response", decision: { reason: "quota" } },
    ]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("template");
      },
    ],
    ["rejects", () => Promise.reject(new Error("template"))],
    [
      "answers a circle",
      () => {
        const circle: Record<string, unknown> = {};
        circle["self"] = circle;
        return circle;
      },
    ],
    ["answers a function", () => () => 1],
    ["names no status", () => ({ status: 42, body: "x" })],
  ])("that %s is an event, and the ordinary body is sent", async (_, respond) => {
    const subject = fixed("1/minute", { respond });
    await subject.get();
    const answer = await subject.get();
    expect([answer.status, answer.json["status"]]).toEqual([429, 429]);
    expect(subject.events).toMatchObject([{ type: "respond-failed", limiter: "default" }]);
  });

  test("A40 that has ended the response itself is the last to write", async () => {
    const { http, get } = fixed("1/minute", {
      respond: () => {
        exchange.end(429);
        return "ignored";
      },
    });
    await get();
    const exchange = new FakeExchange();
    expect(await http.meet(exchange, exchange)).toEqual({ action: "stop" });
    expect(await http.meet(exchange, exchange)).toEqual({ action: "stop" });
  });
});

describe("A40 a response that has begun is not written to", () => {
  async function begun(subject: Subject) {
    const exchange = new FakeExchange();
    exchange.closed = true;
    return read(exchange, await subject.http.meet(exchange, exchange));
  }

  test("an admitted request goes on, counted", async () => {
    const subject = fixed("2/minute", { headers: { expose: true } });
    expect((await begun(subject)).outcome).toEqual({ action: "go" });
    expect((await subject.get()).header("x-ratelimit-remaining")).toBe("0");
  });

  test("a denied one stops", async () => {
    const subject = fixed("0/minute");
    expect((await begun(subject)).outcome).toEqual({ action: "stop" });
  });
});

describe("throw mode", () => {
  test("A41, A42 gives an Error with the status, the wait and every header", async () => {
    const subject = fixed("1/minute", { rejectWith: "throw", headers: { draft: "draft-7", expose: true } });
    await subject.get();
    const { outcome, exchange, error } = await subject.get();
    expect(outcome.action === "reject" && outcome.rejection.thrown).toBe(true);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "RateLimitError",
      code: "ERR_AFORO_RATE_LIMITED",
      status: 429,
      statusCode: 429,
      retryAfter: 60,
      expose: true,
      message: "Too Many Requests: The quota is used up. Retry in 60 seconds.",
      body: { status: 429, "violated-policies": ["default"] },
    });
    expect(
      Object.keys(error?.headers ?? {})
        .map((name) => name.toLowerCase())
        .sort(),
    ).toEqual([...exchange.sent.keys()].sort());
    expect(exchange.sent.has("content-type")).toBe(false);
  });

  test("A41 the custom fields of a body builder are there for the error handler", async () => {
    const answer = await denied({ rejectWith: "throw", respond: () => ({ error: "slow" }) });
    expect(answer.error).toMatchObject({ status: 429, body: { error: "slow" } });
  });

  test("A42 headers that another limiter showed are kept too", async () => {
    const first = fixed("9/minute", { name: "first" });
    const second = limit({ name: "second", limit: "5/minute", rejectWith: "throw", deny: ["203.0.113.1"] });
    const exchange = new FakeExchange();
    await first.http.meet(exchange, exchange);
    const answer = read(exchange, await second.http.meet(exchange, exchange));
    expect(answer.error?.headers["X-RateLimit-Limit"]).toBe("9");
  });
});
