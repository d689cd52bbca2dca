import { expectTypeOf } from "expect-type";
import { createHttpLimiter, type RateLimitOptions } from "../../src/adapter.ts";
import { RATE_LIMIT_OPTIONS } from "../../src/http/check-options.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { ip } from "../../src/identity/ip.ts";
import { user } from "../../src/identity/user.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import { refusal } from "../domain/refusal.ts";
import { limit, type Options } from "./serve.ts";

const make = (options: object) => createHttpLimiter(options as Options, { name: "test" });
const RATE = { limit: "5/minute" };

/** Options, the code they are refused with, and what the message must name. */
const REFUSED: readonly [object, ErrorCode, string][] = [
  [{}, "ERR_AFORO_MISSING_OPTION", '"limit"'],
  [{ limt: "5/minute" }, "ERR_AFORO_UNKNOWN_OPTION", 'did you mean "limit"'],
  [{ ...RATE, onStorError: "deny" }, "ERR_AFORO_UNKNOWN_OPTION", '"onStoreError"'],
  [{ limit: 5 }, "ERR_AFORO_MISSING_OPTION", '"window"'],
  [{ window: "1 minute" }, "ERR_AFORO_MISSING_OPTION", '"limit"'],
  [{ limit: "soon" }, "ERR_AFORO_INVALID_RATE", "limit"],
  [{ ...RATE, window: 1 }, "ERR_AFORO_CONFLICTING_OPTIONS", "window"],
  [{ ...RATE, burst: 3 }, "ERR_AFORO_CONFLICTING_OPTIONS", "burst"],
  [{ ...RATE, policies: [] }, "ERR_AFORO_CONFLICTING_OPTIONS", '"policies"'],
  [{ policies: {} }, "ERR_AFORO_INVALID_OPTION", '"policies"'],
  [{ policies: [{ limit: "5/minute" }] }, "ERR_AFORO_INVALID_OPTION", "policies[0].name"],
  [{ policies: [{ name: "a", limit: "5/minute", onyl: [] }] }, "ERR_AFORO_UNKNOWN_OPTION", '"only"'],
  [{ policies: [{ name: "a", limit: "5/minute", only: [] }] }, "ERR_AFORO_INVALID_OPTION", "policies[0].only"],
  [{ policies: [{ name: "a", limit: "5/minute", only: ["x"] }] }, "ERR_AFORO_UNKNOWN_CLASS", "policies[0].only"],
  [
    {
      policies: [
        { name: "a", ...RATE },
        { name: "a", ...RATE },
      ],
    },
    "ERR_AFORO_DUPLICATE_NAME",
    "policies[1].name",
  ],
  [{ policies: [{ name: "a", ...RATE, key: "ip" }] }, "ERR_AFORO_INVALID_OPTION", "policies[0].key"],
  [{ ...RATE, name: "no/slash" }, "ERR_AFORO_INVALID_OPTION", '"name"'],
  [{ ...RATE, store: {} }, "ERR_AFORO_INVALID_OPTION", '"store"'],
  [{ ...RATE, shared: 1 }, "ERR_AFORO_INVALID_OPTION", '"shared"'],
  [{ ...RATE, key: ip }, "ERR_AFORO_INVALID_OPTION", '"key"'],
  [{ ...RATE, key: {} }, "ERR_AFORO_INVALID_OPTION", '"key"'],
  [{ ...RATE, classes: ["read"] }, "ERR_AFORO_INVALID_OPTION", '"classes"'],
  [{ ...RATE, classes: { read: -1 } }, "ERR_AFORO_INVALID_OPTION", "classes.read"],
  [{ ...RATE, classes: { read: "1" } }, "ERR_AFORO_INVALID_OPTION", "classes.read"],
  [{ ...RATE, classes: { read: { costs: 1 } } }, "ERR_AFORO_UNKNOWN_OPTION", '"cost"'],
  [{ ...RATE, classes: { read: { cost: 2.5 } } }, "ERR_AFORO_INVALID_OPTION", "classes.read.cost"],
  [{ ...RATE, classes: { a: { policies: [{ name: "default", ...RATE }] } } }, "ERR_AFORO_DUPLICATE_NAME", "default"],
  [
    { ...RATE, classes: { a: { policies: [{ name: "x", ...RATE, only: ["a"] }] } } },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    "only",
  ],
  [
    {
      ...RATE,
      classes: {
        a: { policies: [{ name: "x", limit: "5/minute" }] },
        b: { policies: [{ name: "x", limit: "6/minute" }] },
      },
    },
    "ERR_AFORO_DUPLICATE_NAME",
    "classes.b.policies[0].name",
  ],
  [{ ...RATE, defaultClass: "raed", classes: { read: 1 } }, "ERR_AFORO_UNKNOWN_CLASS", '"read"'],
  [{ ...RATE, defaultClass: "read" }, "ERR_AFORO_UNKNOWN_CLASS", "classes"],
  [{ ...RATE, classify: "read" }, "ERR_AFORO_INVALID_OPTION", '"classify"'],
  [{ ...RATE, skip: true }, "ERR_AFORO_INVALID_OPTION", '"skip"'],
  [{ ...RATE, allow: "10.0.0.0/8" }, "ERR_AFORO_INVALID_OPTION", '"allow"'],
  [{ ...RATE, allow: ["10.0.0.0/33"] }, "ERR_AFORO_INVALID_OPTION", "allow[0]"],
  [{ ...RATE, deny: ["::/129"] }, "ERR_AFORO_INVALID_OPTION", "deny[0]"],
  [{ ...RATE, deny: ["10.0.0.0/-1"] }, "ERR_AFORO_INVALID_OPTION", "deny[0]"],
  [{ ...RATE, deny: ["192.0.2.1", "somebody"] }, "ERR_AFORO_INVALID_OPTION", "deny[1]"],
  [{ ...RATE, deny: [42] }, "ERR_AFORO_INVALID_OPTION", "deny[0]"],
  [{ ...RATE, headers: true }, "ERR_AFORO_INVALID_OPTION", "headers"],
  [{ ...RATE, headers: { drafts: "draft-7" } }, "ERR_AFORO_UNKNOWN_OPTION", '"draft"'],
  [{ ...RATE, headers: { draft: "draft-8" } }, "ERR_AFORO_INVALID_OPTION", "headers.draft"],
  [{ ...RATE, headers: { reset: "seconds" } }, "ERR_AFORO_INVALID_OPTION", "headers.reset"],
  [{ ...RATE, headers: { retryAfter: "date" } }, "ERR_AFORO_INVALID_OPTION", "headers.retryAfter"],
  [{ ...RATE, headers: { expose: "yes" } }, "ERR_AFORO_INVALID_OPTION", "headers.expose"],
  [{ ...RATE, rejectWith: "error" }, "ERR_AFORO_INVALID_OPTION", '"rejectWith"'],
  [{ ...RATE, respond: "slow" }, "ERR_AFORO_INVALID_OPTION", '"respond"'],
  [{ ...RATE, skipFailed: true, skipSuccessful: true }, "ERR_AFORO_CONFLICTING_OPTIONS", "skipFailed"],
  [{ ...RATE, skipFailed: true, settle: () => 1 }, "ERR_AFORO_CONFLICTING_OPTIONS", "settle"],
  [{ ...RATE, onStoreError: "open" }, "ERR_AFORO_INVALID_OPTION", '"onStoreError"'],
  [{ ...RATE, storeTimeoutMs: 0 }, "ERR_AFORO_INVALID_OPTION", '"storeTimeoutMs"'],
  [{ ...RATE, instances: 0 }, "ERR_AFORO_INVALID_OPTION", '"instances"'],
  [{ ...RATE, secret: "short" }, "ERR_AFORO_INVALID_OPTION", '"secret"'],
  [{ ...RATE, secrets: [] }, "ERR_AFORO_INVALID_OPTION", '"secrets"'],
  [{ ...RATE, secrets: ["long enough to be one", 5] }, "ERR_AFORO_INVALID_OPTION", "secrets[1]"],
  [
    { ...RATE, secret: "long enough to be one", secrets: ["long enough to be one"] },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    "secrets",
  ],
  [{ ...RATE, hashKeys: "yes" }, "ERR_AFORO_INVALID_OPTION", '"hashKeys"'],
  [{ ...RATE, identityTimeoutMs: Infinity }, "ERR_AFORO_INVALID_OPTION", '"identityTimeoutMs"'],
  [{ ...RATE, maxDelayed: -1 }, "ERR_AFORO_INVALID_OPTION", '"maxDelayed"'],
  [{ ...RATE, maxDelayMs: 2 ** 31 }, "ERR_AFORO_INVALID_OPTION", '"maxDelayMs"'],
  [{ ...RATE, sample: 2 }, "ERR_AFORO_INVALID_OPTION", '"sample"'],
  [{ ...RATE, onEvent: 1 }, "ERR_AFORO_INVALID_OPTION", '"onEvent"'],
];

describe("options are checked once, when the limiter is made", () => {
  test.each(REFUSED)("%j is refused", (options, code, named) => {
    expect(refusal(() => make(options), code).message).toContain(named);
  });

  test("no options at all are refused", () => {
    for (const nothing of [undefined, null, 5, []]) refusal(() => make(nothing as never), "ERR_AFORO_INVALID_OPTION");
  });

  test("a secret that is refused is not spelt out", () => {
    expect(refusal(() => make({ ...RATE, secret: "hunter2" }), "ERR_AFORO_INVALID_OPTION").message).not.toContain(
      "hunter2",
    );
  });

  test("a limiter that could not be made leaves its name free", () => {
    const store = memoryStore();
    refusal(() => make({ ...RATE, store, defaultClass: "read" }), "ERR_AFORO_UNKNOWN_CLASS");
    expect(make({ ...RATE, store }).name).toBe("default");
    refusal(() => make({ ...RATE, store }), "ERR_AFORO_DUPLICATE_NAME");
  });

  test("routes name classes that exist, with a hint at the nearest", () => {
    const http = make({ ...RATE, classes: { export: 5 } });
    expect(http.requireClass("export", "forClass")).toBe("export");
    expect(refusal(() => http.requireClass("exprot", "forClass"), "ERR_AFORO_UNKNOWN_CLASS").message).toContain(
      '"export"',
    );
    refusal(() => http.requireClass(undefined, "forClass"), "ERR_AFORO_UNKNOWN_CLASS");
  });

  test("what routes declare is checked alike, and only before the first request", async () => {
    const { http, get } = limit({ policies: [] });
    expect(refusal(() => http.limiter.policies, "ERR_AFORO_MISSING_OPTION").message).toContain("policies");
    refusal(() => http.defineClass({ limt: "1/minute" } as never, "GET /a"), "ERR_AFORO_UNKNOWN_OPTION");
    refusal(
      () => limit({ policies: [] }).http.defineClass({ cost: 9, limit: "5/minute" }, "GET /b"),
      "ERR_AFORO_COST_ABOVE_LIMIT",
    );
    const options = { limit: "5/minute" };
    const name = http.defineClass(options, "GET /c");
    expect((await get({}, name)).header("x-ratelimit-limit")).toBe("5");
    expect(http.defineClass(options, "GET /c")).toBe(name);
    expect(
      refusal(() => http.defineClass({ limit: "6/minute" }, "GET /d"), "ERR_AFORO_CONFLICTING_OPTIONS").message,
    ).toContain("GET /d");
  });

  test("a request that no policy is for goes on", async () => {
    expect((await limit({ policies: [] }).get()).outcome).toEqual({ action: "go" });
  });
});

test("every option has a name that misspelling leads back to", () => {
  for (const name of RATE_LIMIT_OPTIONS) {
    expect(refusal(() => make({ ...RATE, [`${name}x`]: 1 }), "ERR_AFORO_UNKNOWN_OPTION").message).toContain(
      `did you mean "${name}"`,
    );
  }
});

describe("types", () => {
  test("classes are known by name wherever they are used", () => {
    const http = createHttpLimiter(
      { limit: "5/minute", classes: { read: 1, export: { cost: 5 } }, defaultClass: "read" },
      { name: "test" },
    );
    expectTypeOf(http.requireClass).returns.toEqualTypeOf<"read" | "export">();
    const misspelt = { limit: "5/minute", classes: { read: 1 } } as const;
    // @ts-expect-error no such class
    const make = (): unknown => createHttpLimiter({ ...misspelt, defaultClass: "write" }, { name: "test" });
    refusal(make, "ERR_AFORO_UNKNOWN_CLASS");
  });

  test("functions see the framework's request", () => {
    interface Request {
      readonly account: string;
    }
    const options: RateLimitOptions<Request> = {
      policies: [
        {
          name: "a",
          limit: (request) => (request.raw.account === "gold" ? "100/minute" : "5/minute"),
          key: user((request) => request.raw.account),
        },
      ],
      skip: (request) => request.raw.account === "root",
      settle: (response, request) => (response.status === 200 ? request.raw.account.length : undefined),
    };
    expectTypeOf(options.skip).not.toBeUndefined();
    expect(make(options).name).toBe("default");
  });
});
