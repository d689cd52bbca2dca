import { firstOf } from "../../src/identity/combine.ts";
import { ip } from "../../src/identity/ip.ts";
import { user } from "../../src/identity/user.ts";
import { promisedStore } from "../support/promised-store.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { FakeExchange } from "./fake-exchange.ts";
import { fixed, limit, read, type Options, type Subject } from "./serve.ts";

/** One request that meets the limiter once for each class; `undefined` stands for none. */
async function meeting(subject: Subject, ...classes: readonly (string | undefined)[]) {
  const exchange = new FakeExchange();
  let served = read(exchange, { action: "go" });
  for (const each of classes) served = read(exchange, await subject.http.meet(exchange, exchange, each));
  return served;
}

const remaining = (served: { header: (name: string) => string | undefined }) =>
  Number(served.header("x-ratelimit-remaining"));

/** The same with a store that answers at once, and one that answers later. */
const STORES: readonly [string, () => Options][] = [
  ["a plain store", () => ({ store: memoryStore({ clock: manualClock() }) })],
  ["a promised store", () => ({ store: promisedStore(memoryStore({ clock: manualClock() })) })],
];

describe.each(STORES)("a request is charged once per limiter, with %s", (_, store) => {
  test("A37 however often it meets it", async () => {
    const subject = fixed("4/minute", store());
    for (const left of [3, 2, 1]) expect(remaining(await meeting(subject, undefined, undefined, undefined))).toBe(left);
  });

  test("A37 two limiters count separately", async () => {
    const [one, other] = [
      fixed("4/minute", { name: "one", ...store() }),
      fixed("4/minute", { name: "other", ...store() }),
    ];
    const exchange = new FakeExchange();
    for (const { http } of [one, other, one]) await http.meet(exchange, exchange);
    expect([one, other].map(({ http }) => http.handleOf(exchange.raw)?.remaining)).toEqual([3, 3]);
  });

  test("the dearest class that it meets is what it pays, in whatever order", async () => {
    const subject = fixed("1000/minute", {
      classes: { read: 1, search: 5, export: 50 },
      defaultClass: "read",
      ...store(),
    });
    expect(remaining(await meeting(subject, undefined, "export"))).toBe(950);
    expect(remaining(await meeting(subject, "export", "search", undefined))).toBe(900);
    expect(remaining(await meeting(subject, "read", "search", "search"))).toBe(895);
  });

  test("a class's own policies join, all or nothing", async () => {
    const exports = { name: "exports", limit: "20/hour", algorithm: "fixed-window" } as const;
    const subject = fixed("100/minute", {
      classes: { read: 1, export: { cost: 10, policies: [exports] } },
      ...store(),
    });
    expect(await meeting(subject, undefined, "export")).toMatchObject({ status: 200 });
    expect(await meeting(subject, "export")).toMatchObject({ status: 200 });
    const served = await meeting(subject, undefined, "export");
    expect(served.json["violated-policies"]).toEqual(["exports"]);
    expect(remaining(await meeting(subject, undefined))).toBe(79);
  });

  test("a raise that is denied leaves nothing charged", async () => {
    const subject = fixed("10/minute", { classes: { read: 1, heavy: 10 }, defaultClass: "read", ...store() });
    await meeting(subject, "read");
    const served = await meeting(subject, undefined, "heavy");
    expect(served.status).toBe(429);
    expect(remaining(served)).toBe(9);
    expect(remaining(await meeting(subject, "read"))).toBe(8);
  });

  test("a request that was rejected stays rejected, with the answer it got", async () => {
    const subject = fixed("1/minute", store());
    await meeting(subject, undefined);
    const served = await meeting(subject, undefined, undefined);
    expect(served.status).toBe(429);
    expect(served.header("x-ratelimit-remaining")).toBe("0");
  });

  test("meetings at the same moment are one charge", async () => {
    const subject = fixed("5/minute", { key: async () => "k", ...store() });
    const exchange = new FakeExchange();
    const outcomes = await Promise.all([1, 2, 3].map(async () => subject.http.meet(exchange, exchange)));
    expect(outcomes.map(({ action }) => action)).toEqual(["go", "go", "go"]);
    expect(subject.http.handleOf(exchange.raw)?.remaining).toBe(4);
  });

  test("a key that several policies count by is read once", async () => {
    let reads = 0;
    const key = async () => `k${++reads}`;
    const policies = ["a", "b", "c"].map((name) => ({ name, limit: "5/minute", key }));
    await limit({ policies, ...store() }).get();
    expect(reads).toBe(1);
  });

  test("A35 simultaneous requests with an asynchronous key admit exactly the limit", async () => {
    const subject = fixed("5/hour", { key: async () => "k", ...store() });
    const served = await Promise.all(Array.from({ length: 20 }, () => subject.get()));
    expect(served.filter(({ status }) => status === 200)).toHaveLength(5);
  });
});

describe("classes and policies", () => {
  test("on the memory path an outcome is no promise", () => {
    const { http } = fixed("5/minute", {
      key: firstOf(
        user((request) => request.user?.id),
        ip(),
      ),
    });
    const exchange = new FakeExchange();
    expect(http.meet(exchange, exchange)).toEqual({ action: "go" });
    expect(http.meet(exchange, exchange)).toEqual({ action: "go" });
  });

  test("a policy with `only` is for those classes alone", async () => {
    const { get } = limit({
      policies: [
        { name: "all", limit: "100/minute", algorithm: "fixed-window" },
        { name: "bulk", limit: "2/minute", algorithm: "fixed-window", only: ["bulk"] },
      ],
      classes: { read: 1, bulk: 1 },
      defaultClass: "read",
    });
    expect([(await get({}, "bulk")).status, (await get({}, "bulk")).status, (await get({}, "bulk")).status]).toEqual([
      200, 200, 429,
    ]);
    expect((await get()).header("x-ratelimit-limit")).toBe("100");
  });

  test("A36 a refusal by one policy leaves the other's quota alone", async () => {
    const { get } = limit({
      policies: [
        { name: "user", limit: "2/minute", key: user((request) => request.user?.id) },
        { name: "global", limit: "10/minute", key: () => "everybody" },
      ],
    });
    const ask = async (id: string, times: number) => {
      const statuses: number[] = [];
      for (let i = 0; i < times; i++) statuses.push((await get({ user: { id } })).status);
      return statuses.filter((status) => status === 200).length;
    };
    expect(await ask("A", 20)).toBe(2);
    expect(await ask("B", 9)).toBe(2);
    expect(await ask("C", 2)).toBe(2);
  });

  test("A54 classes that name the same policy share its counter; without, each has its own", async () => {
    const otp = { name: "otp", limit: "3/minute", algorithm: "fixed-window" } as const;
    const shared = limit({ policies: [], classes: { send: { policies: [otp] }, resend: { policies: [{ ...otp }] } } });
    const order = ["send", "send", "send", "resend", "resend", "resend", "send"];
    const statuses: number[] = [];
    for (const each of order) statuses.push((await shared.get({}, each)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429]);

    const apart = limit({ policies: [], classes: { send: { limit: "3/minute" }, resend: { limit: "3/minute" } } });
    expect([await apart.statuses(4, {}, "send"), await apart.statuses(4, {}, "resend")]).toEqual([
      [200, 200, 200, 429],
      [200, 200, 200, 429],
    ]);
  });

  test("A54 routes that write one object share it, routes that write two do not", async () => {
    const { http, statuses } = limit({ policies: [] });
    const group = { policies: [{ name: "otp", limit: "3/minute" }] };
    const [send, resend] = [http.defineClass(group, "POST /otp/send"), http.defineClass(group, "POST /otp/resend")];
    expect(send).toBe(resend);
    const own = http.defineClass({ limit: "1/minute" }, "GET /own");
    const other = http.defineClass({ limit: "1/minute" }, "GET /other");
    expect(await statuses(2, {}, own)).toEqual([200, 429]);
    expect(await statuses(2, {}, other)).toEqual([200, 429]);
    expect(await statuses(4, {}, send)).toEqual([200, 200, 200, 429]);
  });

  test("A21 special property names are ordinary class names", async () => {
    const names = ["constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
    const classes = Object.fromEntries(names.map((name) => [name, { cost: 1, limit: "2/minute" }]));
    Object.defineProperty(classes, "__proto__", { value: { limit: "2/minute" }, enumerable: true });
    const { statuses } = limit({ policies: [], classes });
    for (const name of [...names, "__proto__"]) expect(await statuses(3, {}, name)).toEqual([200, 200, 429]);
    expect(({} as Record<string, unknown>)["limit"]).toBeUndefined();
  });

  test("A51 a raised limit takes effect at once: what is used stays used", async () => {
    let plan = 10_000;
    const { get, clock } = fixed(undefined as never, {
      limit: () => plan,
      window: "1 hour",
      cost: (request) => (request.path === "/all" ? 10_000 : 1),
    });
    clock.advance(900_000);
    expect(remaining(await get({ path: "/all" }))).toBe(0);
    expect((await get()).status).toBe(429);
    plan = 15_000;
    const served = await get();
    expect(served.header("x-ratelimit-limit")).toBe("15000");
    expect(remaining(served)).toBe(4_999);
    expect(Number(served.header("x-ratelimit-reset"))).toBe(1_699_920_000 + 3_600);
  });

  test("A51 a bucket of 10 that is empty admits 5 at once when it becomes one of 15", async () => {
    let plan = "10/minute";
    const { statuses } = limit({ limit: () => plan, algorithm: "token-bucket" });
    expect((await statuses(11)).filter((status) => status === 200)).toHaveLength(10);
    plan = "15/minute";
    expect((await statuses(6)).filter((status) => status === 200)).toHaveLength(5);
  });

  test("A53 a class of cost 0 looks and takes nothing", async () => {
    const subject = fixed("3/minute", { classes: { look: 0, all: 3 } });
    const seen: number[] = [];
    for (const each of ["look", "look", "all", "look"]) seen.push(remaining(await meeting(subject, each)));
    expect(seen).toEqual([3, 3, 0, 0]);
  });

  test("A52 a class that can never be admitted is refused when the limiter is made", () => {
    expect(() => fixed("10/minute", { classes: { export: 50 } })).toThrow(
      /class "export" costs 50, but policy "default" admits at most 10/,
    );
    expect(() => fixed("10/minute", { classes: { export: 50 }, limit: () => "10/minute" })).not.toThrow();
    expect(() => fixed("0/minute", { classes: { export: 50 } })).not.toThrow();
    expect(() => fixed("10/minute", { classes: { export: 50 }, mode: "shadow" })).not.toThrow();
  });

  test("A56 a ban by hand ends, outlives the window, and says when", async () => {
    const { http, get, clock } = fixed("1/10s");
    const statuses: number[] = [];
    for (const at of [0, 1, 2, 3]) {
      clock.set(1_699_920_000_000 + at * 1_000);
      statuses.push((await get()).status);
    }
    await http.limiter.block(ip.key("203.0.113.1"), 60_000);
    expect(statuses).toEqual([200, 429, 429, 429]);
    for (const [at, wait] of [
      [30, "33"],
      [62.9, "1"],
    ] as const) {
      clock.set(1_699_920_000_000 + at * 1_000);
      expect((await get()).header("retry-after")).toBe(wait);
    }
    clock.set(1_699_920_063_000);
    expect((await get()).status).toBe(200);
  });

  test("a charge known late is taken on top, whatever the limit", async () => {
    const { http, get } = fixed("10/minute");
    const { exchange } = await get();
    await http.handleOf(exchange.raw)?.charge(7);
    expect(remaining(await get())).toBe(1);
    await http.handleOf((await get()).exchange.raw)?.charge(100);
    expect((await get()).status).toBe(429);
  });

  test("handlers find class, numbers and the reason", async () => {
    const { http, get } = fixed("10/minute", { classes: { read: 1, search: 5 }, defaultClass: "read" });
    const { exchange } = await get({}, "search");
    const handle = http.handleOf(exchange.raw);
    expect(handle).toMatchObject({
      class: "search",
      limit: 10,
      remaining: 5,
      resetMs: 60_000,
      retryAfterMs: 0,
      skipped: false,
    });
    expect(handle?.explain()).toContain("5 of 10");
  });
});

/** A store that answers later, and writes down for how long it is waited for. */
function watchedStore() {
  const store = promisedStore(memoryStore());
  const patience: number[] = [];
  const watched: typeof store = {
    ...store,
    consume(checks, options) {
      patience.push((options?.deadline ?? 0) - performance.now());
      return store.consume(checks, options);
    },
  };
  return { store, watched, patience };
}

describe("what a limit function takes is not taken from the store's time", () => {
  const slowly = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return 10;
  };
  const policies: readonly [string, Options["policies"]][] = [
    ["with one key", [{ name: "one", limit: slowly, window: "1m" }]],
    [
      "with two keys",
      [
        { name: "one", limit: slowly, window: "1m" },
        { name: "two", limit: 10, window: "1m", key: () => "everybody" },
      ],
    ],
  ];

  test.each(policies)("%s", async (_, each) => {
    const { watched, patience } = watchedStore();
    const subject = limit({ policies: each, store: watched, storeTimeoutMs: 10_000 } as Options);
    expect(await subject.statuses(1)).toEqual([200]);
    expect(patience).toHaveLength(1);
    expect(patience[0]).toBeGreaterThan(9_970);
  });
});

test("limiters of one request share what a single one may wait, and the next gets a quarter at least", async () => {
  const stores = [watchedStore(), watchedStore()];
  const subjects = stores.map(({ watched }, i) =>
    fixed("10/minute", { name: `limiter-${i}`, store: watched, storeTimeoutMs: 400 }),
  );
  for (const [lateMs, least, most] of [
    [100, 100, 300],
    [350, 100, 101],
  ] as const) {
    for (const { store } of stores) store.fault = { lateMs };
    const exchange = new FakeExchange();
    for (const { http } of subjects) await http.meet(exchange, exchange);
    expect(stores[0]?.patience.pop()).toBeGreaterThan(370);
    const second = stores[1]?.patience.pop();
    expect(second).toBeGreaterThan(least - 1);
    expect(second).toBeLessThan(most + 1);
  }
});
