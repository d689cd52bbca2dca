import { once } from "node:events";
import { Client, manualClock, quota } from "@aforo/testkit";
import { fastify, type FastifyInstance, type FastifyServerOptions } from "fastify";
import { memoryStore, rateLimit, type RateLimitOptions } from "../src/index.ts";

const apps: FastifyInstance[] = [];

function create(options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify(options);
  apps.push(app);
  return app;
}

/** A limiter of so many units per minute whose clock stands still. */
function limit(units: number, options: RateLimitOptions = {}): RateLimitOptions {
  return {
    limit: `${units}/minute`,
    algorithm: "fixed-window",
    store: memoryStore({ clock: manualClock() }),
    storeTimeoutMs: 30_000,
    ...options,
  };
}

async function serve(app: FastifyInstance): Promise<Client> {
  await app.ready();
  app.server.listen(0, "127.0.0.1");
  await once(app.server, "listening");
  return new Client(app.server);
}

const ok = async (): Promise<string> => "ok";

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

describe("where a registration applies", () => {
  test("A39 in its scope and those inside, not beside", async () => {
    const app = create();
    app.get("/before", ok);
    app.register(async (child) => {
      await child.register(rateLimit, limit(1));
      child.get("/a", ok);
      child.register(async (grandchild) => void grandchild.get("/b", ok));
    });
    app.get("/after", ok);
    const client = await serve(app);
    expect(await client.statuses(2, "/a")).toEqual([200, 429]);
    expect(await client.statuses(1, "/b")).toEqual([429]);
    for (const path of ["/before", "/after"]) {
      const answer = await client.get(path);
      expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
    }
    expect((await client.get("/nowhere")).headers["x-ratelimit-limit"]).toBeUndefined();
  });

  test("A39 to routes declared before it as to those after", async () => {
    const app = create();
    app.get("/before", { config: { rateLimit: "dear" } }, ok);
    app.register(rateLimit, limit(10, { classes: { dear: 4 } }));
    app.get("/after", { config: { rateLimit: "dear" } }, ok);
    const client = await serve(app);
    expect(quota(await client.get("/before")).remaining).toBe(6);
    expect(quota(await client.get("/after")).remaining).toBe(2);
  });

  test("A39 to what no route matches, also with a handler of its own, unless told otherwise", async () => {
    const app = create();
    await app.register(rateLimit, limit(1));
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send("mine"));
    const client = await serve(app);
    const answer = await client.get("/nowhere");
    expect([answer.status, answer.body, quota(answer).remaining]).toEqual([404, "mine", 0]);
    expect(await client.statuses(2, "/elsewhere")).toEqual([429, 429]);
    const lenient = create();
    await lenient.register(rateLimit, limit(1, { skipNotFound: true }));
    expect(await (await serve(lenient)).statuses(3, "/nowhere")).toEqual([404, 404, 404]);
  });

  test("A38 HEAD routes that Fastify adds and both spellings of a prefix count once", async () => {
    const app = create({ exposeHeadRoutes: true });
    await app.register(rateLimit, limit(10));
    app.get("/x", ok);
    app.register(async (child) => void child.post("/", ok), { prefix: "/res" });
    const client = await serve(app);
    const remaining = [];
    for (const [method, path] of [
      ["GET", "/x"],
      ["HEAD", "/x"],
      ["POST", "/res"],
      ["POST", "/res/"],
    ] as const) {
      remaining.push(quota(await client.send(method, path)).remaining);
    }
    expect(remaining).toEqual([9, 8, 7, 6]);
  });

  test("several registrations stand side by side, in nested scopes too, and each counts once", async () => {
    const app = create();
    await app.register(rateLimit, limit(10, { name: "outer", classes: { dear: 3 } }));
    await app.register(rateLimit, limit(20, { name: "beside" }));
    app.get("/", { config: { rateLimit: "dear" } }, async (request) => [
      request.rateLimit.limiter,
      request.rateLimit.of("outer")?.remaining,
    ]);
    app.register(async (child) => {
      await child.register(rateLimit, limit(5, { name: "inner", classes: { dear: 2, own: 4 } }));
      child.get("/dear", { config: { rateLimit: "dear" } }, async ({ rateLimit: handle }) =>
        ["outer", "beside", "inner"].map((name) => handle.of(name)?.remaining),
      );
      child.get("/own", { config: { rateLimit: "own" } }, ok);
      expect(child.rateLimit.limiter.name).toBe("inner");
      expect(child.rateLimit.of("outer")?.name).toBe("outer");
    });
    const client = await serve(app);
    expect(JSON.parse((await client.get("/")).body)).toEqual(["beside", 7]);
    expect(JSON.parse((await client.get("/dear")).body)).toEqual([4, 18, 3]);
    expect((await client.get("/own")).status).toBe(429);
    expect(app.rateLimit.of("inner")).toBeUndefined();
  });
});

describe("a route's config", () => {
  test("false takes it out", async () => {
    const app = create();
    await app.register(rateLimit, limit(1));
    app.get("/", { config: { rateLimit: false } }, ok);
    const client = await serve(app);
    expect(await client.statuses(3, "/")).toEqual([200, 200, 200]);
  });

  test("a class costs what it costs, in one call of the store", async () => {
    const store = memoryStore({ clock: manualClock() });
    const calls: string[] = [];
    const counted = new Proxy(store, {
      get(target, verb: keyof typeof store) {
        const member = target[verb] as unknown;
        if (typeof member !== "function") return member;
        return (...args: unknown[]) => {
          calls.push(verb);
          return member.apply(target, args) as unknown;
        };
      },
    });
    const app = create();
    await app.register(
      rateLimit,
      limit(100, { store: counted, classes: { read: 1, export: 50 }, defaultClass: "read" }),
    );
    app.get("/export", { config: { rateLimit: "export" } }, ok);
    const client = await serve(app);
    expect(quota(await client.get("/export")).remaining).toBe(50);
    expect(calls).toEqual(["consume"]);
  });

  test("options make a class of its own, whose HEAD shares it", async () => {
    const app = create();
    await app.register(rateLimit, limit(100));
    app.get("/", { config: { rateLimit: { cost: 10, algorithm: "fixed-window", limit: "20/minute" } } }, ok);
    app.get("/other", ok);
    const client = await serve(app);
    expect(await client.statuses(1, "/")).toEqual([200]);
    expect((await client.send("HEAD", "/")).status).toBe(200);
    expect(await client.statuses(1, "/")).toEqual([429]);
    expect(quota(await client.get("/other")).remaining).toBe(79);
  });

  test.each([
    ["an unknown class", "exprot", /"GET \/x config\.rateLimit".*"export"/],
    ["unknown options", { max: 5 }, /no option "max"/],
    ["a number", 5, /config\.rateLimit/],
    ["true", true, /config\.rateLimit/],
  ])("%s is an error when the server gets ready", async (_, config, message) => {
    const app = create();
    await app.register(rateLimit, limit(100, { classes: { export: 50 } }));
    app.get("/x", { config: { rateLimit: config as never } }, ok);
    await expect(app.ready()).rejects.toThrow(message);
  });

  test("a class that only an inner limiter knows is no error", async () => {
    const app = create();
    await app.register(rateLimit, limit(100, { name: "outer" }));
    app.register(async (child) => {
      child.register(rateLimit, limit(100, { name: "inner", classes: { own: 9 } }));
      child.get("/", { config: { rateLimit: "own" } }, ok);
    });
    const client = await serve(app);
    expect(quota(await client.get("/")).remaining).toBe(91);
  });

  test("options of a route that stands before the limiter are heard with its first request, or count as the dearest", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const app = create();
    app.get("/early", { config: { rateLimit: { cost: 3 } } }, ok);
    app.get("/late", { config: { rateLimit: { cost: 2 } } }, ok);
    app.register(rateLimit, limit(100, { classes: { dearest: 50 } }));
    const client = await serve(app);
    expect(quota(await client.get("/early")).remaining).toBe(97);
    expect(quota(await client.get("/late")).remaining).toBe(47);
    expect((await client.get("/late")).status).toBe(429);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("GET /late"), { code: "AFORO_ROUTE_BEFORE_LIMITER" });
    warn.mockRestore();
  });

  test("such a route counts in all instances alike, whether GET or HEAD is asked first", async () => {
    const store = memoryStore({ clock: manualClock() });
    const start = async (): Promise<Client> => {
      const app = create();
      app.get("/x", { config: { rateLimit: { limit: "2/minute", algorithm: "fixed-window" } } }, ok);
      await app.register(rateLimit, limit(100, { store, shared: true }));
      return serve(app);
    };
    const [one, other] = [await start(), await start()];
    expect((await one.send("HEAD", "/x")).status).toBe(200);
    expect((await other.get("/x")).status).toBe(200);
    expect((await other.get("/x")).status).toBe(429);
    expect((await one.get("/x")).status).toBe(429);
  });

  test("options of a route, and the limiter that has no name, mean the latest registration", async () => {
    const app = create();
    await app.register(rateLimit, limit(10, { name: "first" }));
    await app.register(rateLimit, limit(20, { name: "second" }));
    app.get("/", { config: { rateLimit: { cost: 7 } } }, async (request) =>
      ["first", "second"].map((name) => request.rateLimit.of(name)?.remaining),
    );
    const client = await serve(app);
    expect(app.rateLimit.limiter.name).toBe("second");
    expect(JSON.parse((await client.get("/")).body)).toEqual([9, 13]);
  });

  test("global: false limits only routes that say so", async () => {
    const app = create();
    await app.register(rateLimit, limit(10, { global: false, classes: { dear: 4 } }));
    app.get("/", ok);
    app.get("/dear", { config: { rateLimit: "dear" } }, ok);
    app.get("/hooked", { onRequest: app.rateLimit.forClass("dear") }, ok);
    const client = await serve(app);
    expect((await client.get("/")).headers["x-ratelimit-limit"]).toBeUndefined();
    expect(quota(await client.get("/dear")).remaining).toBe(6);
    expect(quota(await client.get("/hooked")).remaining).toBe(2);
  });
});

describe("hooks", () => {
  test("preHandler counts the user that an earlier hook has authenticated", async () => {
    const app = create();
    app.decorateRequest("user", null);
    await app.register(rateLimit, limit(1, { hook: "preHandler" }));
    app.addHook("preValidation", async (request) => {
      Object.assign(request, { user: { id: request.headers["x-user"] } });
    });
    app.get("/", ok);
    const client = await serve(app);
    for (const id of ["ann", "bob"])
      expect(await client.statuses(2, "/", { headers: { "x-user": id } })).toEqual([200, 429]);
  });

  test.each(["onRequest", "preParsing", "preValidation", "preHandler"] as const)("%s limits", async (hook) => {
    const app = create();
    await app.register(rateLimit, limit(1, { hook }));
    app.post("/", ok);
    const client = await serve(app);
    const sent = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect(await client.statuses(2, "/", sent)).toEqual([200, 429]);
  });

  test("forClass names an unknown class at once, and the nearest known one", async () => {
    const app = create();
    await app.register(rateLimit, limit(100, { classes: { export: 50 } }));
    expect(() => app.rateLimit.forClass("exprot")).toThrow(/"export"/);
  });

  test("a handler that passes a request on to the not-found handler does not count it twice", async () => {
    const app = create();
    await app.register(rateLimit, limit(5, { hook: "preHandler" }));
    app.get("/", (_request, reply) => reply.callNotFound());
    const client = await serve(app);
    const answer = await client.get("/");
    expect([answer.status, quota(answer).remaining]).toEqual([404, 4]);
  });
});

describe("options", () => {
  test.each([
    [{ limit: "1/minute", hook: "onSend" }, /"hook"/],
    [{ limit: "1/minute", as: "limit" }, /"as"/],
    [{ limit: "1/minute", global: "yes" }, /"global"/],
    [{ max: 5 }, /no option "max"/],
    [{ limit: 5 }, /needs a "window"/],
  ])("%j is an error when the plugin is loaded", async (options, message) => {
    const app = create();
    await expect(app.register(rateLimit, options as never)).rejects.toThrow(message);
  });

  test('as: "aforo" leaves rateLimit to another plugin', async () => {
    const app = create();
    app.decorate("rateLimit", "theirs" as never);
    await app.register(rateLimit, limit(10, { as: "aforo", classes: { dear: 4 } }));
    app.get("/", { config: { rateLimit: { max: 3 } as never, aforo: "dear" } }, async ({ aforo }) => aforo.class);
    const client = await serve(app);
    const answer = await client.get("/");
    expect([answer.body, quota(answer).remaining]).toEqual(["dear", 6]);
    expect(app.rateLimit).toBe("theirs");
  });

  test("a name that another plugin has taken is an error that says what to do", async () => {
    const app = create();
    app.decorate("rateLimit", "theirs" as never);
    await expect(app.register(rateLimit, limit(1))).rejects.toThrow(/as: "aforo"/);
  });

  test("the limiter is closed with the server", async () => {
    const app = create();
    await app.register(rateLimit, { limit: "1/minute", name: "closing" });
    await app.ready();
    const { limiter } = app.rateLimit;
    await app.close();
    expect(await limiter.peek("somebody")).toMatchObject({ policies: [] });
  });
});

test("a stream that fails in the middle stays the app's affair", async () => {
  const app = create();
  await app.register(rateLimit, limit(5));
  app.get("/", async (_request, reply) => {
    const { Readable } = await import("node:stream");
    return reply.send(
      new Readable({
        read() {
          this.push("x");
          this.destroy(new Error("broken"));
        },
      }),
    );
  });
  app.get("/fine", ok);
  const client = await serve(app);
  await client.get("/").catch(() => {});
  expect(quota(await client.get("/fine")).remaining).toBe(3);
});

describe("A25 the setting of trustProxy", () => {
  const ask = async (trustProxy: unknown): Promise<unknown[]> => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const app = create({ trustProxy: trustProxy as boolean });
    await app.register(rateLimit, limit(10));
    app.get("/", ok);
    const client = await serve(app);
    await client.get("/", { headers: { "x-forwarded-for": "198.51.100.1, 203.0.113.9" } });
    const codes = warn.mock.calls.map(([, given]) => (given as unknown as { code: string }).code);
    warn.mockRestore();
    return codes;
  };

  test("true is warned of, since clients can forge their address", async () => {
    expect(await ask(true)).toEqual(["AFORO_PROXY_TRUST_UNCONDITIONAL"]);
  });

  test("false is warned of behind a proxy, since all clients look alike", async () => {
    expect(await ask(false)).toEqual(["AFORO_PROXY_UNTRUSTED"]);
  });

  test.each(["127.0.0.1", ["loopback", "10.0.0.0/8"], (_address: string, hop: number) => hop < 1])(
    "%p is not",
    async (trust) => {
      expect(await ask(trust)).toEqual([]);
    },
  );
});
