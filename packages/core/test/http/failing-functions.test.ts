import { apiKey } from "../../src/identity/api-key.ts";
import { firstOf } from "../../src/identity/combine.ts";
import { ip } from "../../src/identity/ip.ts";
import { user } from "../../src/identity/user.ts";
import { fixed, limit, type Options } from "./serve.ts";

type Failing = () => Promise<never>;

const never: Failing = () => new Promise<never>(() => {});
const fails: Failing = () => {
  throw new Error("application");
};
const rejects: Failing = () => Promise.reject(new Error("application"));

/** What functions of an application may do instead of answering. */
const FAILURES: readonly [string, Failing][] = [
  ["throws", fails],
  ["rejects", rejects],
  ["never answers", never],
];

describe("when a function of the application fails, nobody is unlimited and nothing is a 500", () => {
  const badKeys: readonly [string, () => Promise<never> | string, string][] = [
    ...FAILURES.map(([how, key]) => [how, key, "key-failed"] as [string, Failing, string]),
    ["answers an object", () => ({}) as never, "bad-key"],
    ["answers the text of nothing", () => "undefined", "bad-key"],
  ];

  test.each(badKeys)("a key function that %s counts by address instead", async (_, key, type) => {
    const subject = fixed("1/minute", { key, identityTimeoutMs: 10 });
    expect(await subject.statuses(2)).toEqual([200, 429]);
    expect((await subject.get({ ip: "198.51.100.1" })).status).toBe(200);
    expect(subject.events.map((event) => event.type)).toEqual([type, type, type]);
  });

  test.each([undefined, null, ""])(
    "a key function that answers %p counts by address, without an event",
    async (key) => {
      const subject = fixed("1/minute", { key: () => key });
      expect(await subject.statuses(2)).toEqual([200, 429]);
      expect(subject.events).toEqual([]);
    },
  );

  const badLimits: readonly [string, () => Promise<never> | string][] = [
    ...FAILURES,
    ["answers no limit", () => "soon"],
    ["answers nothing", () => undefined as never],
  ];

  test.each(badLimits)(
    "a limit function that %s uses the fallback, or else what onStoreError says",
    async (_, limitOf) => {
      const options: Options = { limit: limitOf, limitTimeoutMs: 10 };
      expect(await fixed(undefined as never, { ...options, fallbackLimit: "1/minute" }).statuses(2)).toEqual([
        200, 429,
      ]);
      expect(await fixed(undefined as never, { ...options, onStoreError: "deny" }).statuses(1)).toEqual([503]);
      expect(await fixed(undefined as never, { ...options, onStoreError: "allow" }).statuses(1)).toEqual([200]);
      const subject = fixed(undefined as never, options);
      expect((await subject.get()).status).not.toBe(500);
      expect(subject.events[0]).toMatchObject({ type: "limit-failed" });
    },
  );

  const badClasses: readonly [string, () => Promise<never> | string, string][] = [
    ["names an unknown class", () => "exprot", "unknown-class"],
    ["names a special property", () => "__proto__", "unknown-class"],
    ...FAILURES.map(([how, classify]) => [how, classify, "classify-failed"] as [string, Failing, string]),
  ];

  test.each(badClasses)("a classify that %s counts as the dearest class", async (_, classify, type) => {
    const subject = fixed("100/minute", {
      classes: { read: 1, export: 50, search: 5 },
      classify,
      identityTimeoutMs: 10,
    });
    expect((await subject.get()).header("x-ratelimit-remaining")).toBe("50");
    expect(subject.events).toMatchObject([{ type }]);
  });

  test("a class that only a request names is checked as well", async () => {
    const subject = fixed("100/minute", { classes: { read: 1, export: 50 } });
    expect((await subject.get({}, "exprot")).header("x-ratelimit-remaining")).toBe("50");
  });

  test.each([-1, 0.5, NaN, "5", null, {}, 2 ** 31 + 1])(
    "a cost of %p follows onStoreError, and is an event",
    async (cost) => {
      const options: Options = { cost: () => cost as number, classes: { read: 1, export: 50 }, defaultClass: "read" };
      const local = fixed("100/minute", options);
      expect((await local.get()).header("x-ratelimit-remaining")).toBe("50");
      expect(local.events).toMatchObject([{ type: "bad-cost" }]);
      expect(await fixed("100/minute", { ...options, onStoreError: "deny" }).statuses(1)).toEqual([503]);
      expect(await fixed("100/minute", { ...options, onStoreError: "allow" }).statuses(1)).toEqual([200]);
    },
  );

  test.each(FAILURES)("a cost function that %s is a bad cost", async (_, cost) => {
    const subject = fixed("100/minute", { cost, identityTimeoutMs: 10, onStoreError: "deny" });
    expect(await subject.statuses(1)).toEqual([503]);
    expect(subject.events[0]).toMatchObject({ type: "bad-cost" });
  });

  test("a cost of undefined is that of the class", async () => {
    const { get } = fixed("100/minute", { cost: () => undefined, classes: { search: 5 } });
    expect((await get({}, "search")).header("x-ratelimit-remaining")).toBe("95");
  });

  test("listeners that throw break nothing", async () => {
    const subject = fixed("1/minute", { onEvent: fails, onDecision: fails, skip: fails });
    expect(await subject.statuses(2)).toEqual([200, 429]);
  });
});

describe("A22 unverified API keys are no identities", () => {
  test("a fresh made-up key for each request gains nothing", async () => {
    const key = firstOf(apiKey({ resolve: (credential) => credential === "real" }), ip());
    const { get } = fixed("3/minute", { key });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await get({ headers: { "x-api-key": `made up ${i}` } })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await get({ headers: { "x-api-key": "real" } })).status).toBe(200);
  });
});

describe("A27 requests without an address", () => {
  test("share one count, by a documented key", async () => {
    const { statuses, http } = fixed("2/minute");
    expect(await statuses(3, { ip: undefined })).toEqual([200, 200, 429]);
    expect((await http.limiter.peek("ip:unknown")).policies[0]?.remaining).toBe(0);
  });
});

describe("secrets", () => {
  const [OLD, NEW] = ["the old secret of the suite", "the new secret of the suite"];
  const ana = { user: { id: "ana" } };
  const key = user((request) => request.user?.id);

  /** Every key that a store was asked for. */
  function watched(options: Options) {
    const subject = fixed("3/minute", { key, ...options });
    const seen: string[] = [];
    const { store } = subject.http.limiter;
    const consume = store.consume.bind(store);
    store.consume = (checks, ...rest) => {
      seen.push(...checks.map(({ stateKey }) => stateKey));
      return consume(checks, ...rest);
    };
    return { ...subject, seen };
  }

  test("A22 with hashKeys nothing of a caller reaches the store in clear, and names by hand still work", async () => {
    for (const options of [{ hashKeys: true }, { hashKeys: true, secret: NEW }]) {
      const { statuses, seen, http } = watched(options);
      expect(await statuses(4, ana)).toEqual([200, 200, 200, 429]);
      expect(seen.join()).not.toContain("ana");
      await http.limiter.reset(user.key("ana"));
      expect(await statuses(1, ana)).toEqual([200]);
      await http.limiter.block(user.key("ana"), 10_000);
      expect(await statuses(1, ana)).toEqual([429]);
    }
  });

  test("a rotation frees nobody: what was used and blocked under the old secret counts", async () => {
    const before = watched({ hashKeys: true, secret: OLD });
    const { store } = before.http.limiter;
    await before.statuses(2, ana);
    await before.http.close();
    const rotating = limit(
      {
        key,
        limit: "3/minute",
        algorithm: "fixed-window",
        store,
        hashKeys: true,
        secrets: [NEW, OLD],
        headers: { draft: "draft-11" },
      },
      before.clock,
    );
    const served = await rotating.get(ana);
    expect(served.header("x-ratelimit-remaining")).toBe("0");
    expect(served.header("ratelimit")).toMatch(/^"default";r=0;t=60;pk=:[^,]+:$/);
    const denied = await rotating.get(ana);
    expect(denied.json["violated-policies"]).toEqual(["default"]);
    await rotating.http.limiter.reset(user.key("ana"));
    expect(await rotating.statuses(4, ana)).toEqual([200, 200, 200, 429]);
    expect((await rotating.get(ana)).json["violated-policies"]).toEqual(["default"]);
    await rotating.http.limiter.reset(user.key("ana"));
    await rotating.http.handleOf((await rotating.get(ana)).exchange.raw)?.charge(2);
    expect(await rotating.statuses(1, ana)).toEqual([429]);
    await rotating.http.close();
    const after = limit(
      { key, limit: "3/minute", algorithm: "fixed-window", store, hashKeys: true, secret: NEW },
      before.clock,
    );
    expect(await after.statuses(1, ana)).toEqual([429]);
  });
});
