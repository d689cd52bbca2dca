import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { checkPolicy, type CheckedPolicy, type Policy } from "../../src/domain/policy.ts";
import type { ErrorCode } from "../../src/domain/errors.ts";
import { refusal } from "./refusal.ts";

function check(options: object): CheckedPolicy {
  return checkPolicy("api", { name: "p", limit: "10/minute", ...options }, "policies[0]");
}

function refused(options: object, code: ErrorCode): string {
  const { message } = refusal(() => check(options), code);
  expect(message).toContain("policies[0]");
  return message;
}

test("a rate string is all that a policy needs beside its name", () => {
  expect(check({}).fixed).toEqual({
    name: "p",
    algorithm: "sliding-window-counter",
    limit: 10,
    window: 60_000,
    capacity: 10,
    delayAfter: 0,
    reducedLimit: 1,
    reducedWindow: 6_000,
    span: 60_000,
    shadow: false,
    space: "api/p/c60000/",
  });
});

test("a whole number with a window is the same", () => {
  expect(check({ limit: 10, window: "1 minute" }).fixed).toEqual(check({}).fixed);
});

test.each([
  ["limits", '"limit"'],
  ["Burst", '"burst"'],
  ["algoritm", '"algorithm"'],
  ["delay_after", '"delayAfter"'],
  ["onStoreErrors", '"onStoreError"'],
  ["max", "known options: name, algorithm, limit"],
  ["windowMs", '"window"'],
])("an unknown option %p is refused, with the nearest known one", (option, hint) => {
  const message = refused({ [option]: 5 }, "ERR_AFORO_UNKNOWN_OPTION");
  expect(message).toContain(`"${option}"`);
  expect(message).toContain(hint);
});

test.each([null, undefined, 5, "10/minute", [], () => 5])("%p is no policy", (policy) => {
  refusal(() => checkPolicy("api", policy as unknown as Policy, "policies[0]"), "ERR_AFORO_INVALID_OPTION");
});

test.each(["5", NaN, Infinity, -1, 1.5, 2 ** 50 + 1, 5n, true, null, {}, [], Symbol("5")])(
  "a limit of %p with a window is refused",
  (limit) => {
    const message = (() => {
      try {
        check({ limit, window: 1_000 });
      } catch (error) {
        return String(error);
      }
      return "not refused";
    })();
    expect(message).toContain('"policies[0].limit"');
    expect(message).toMatch(/ConfigError/);
  },
);

test("a number of any type but number is told as what it is", () => {
  expect(refused({ limit: true, window: 1_000 }, "ERR_AFORO_INVALID_OPTION")).toContain("got true (boolean)");
  expect(refused({ limit: 5n, window: 1_000 }, "ERR_AFORO_INVALID_OPTION")).toContain("got 5 (bigint)");
  expect(refused({ limit: NaN, window: 1_000 }, "ERR_AFORO_INVALID_OPTION")).toContain("got NaN (number)");
});

test("what a rate string says is not said twice, and a number needs its window", () => {
  expect(refused({ limit: "10/minute", window: 60_000 }, "ERR_AFORO_CONFLICTING_OPTIONS")).toContain(
    "already names its window",
  );
  expect(refused({ limit: 10 }, "ERR_AFORO_MISSING_OPTION")).toContain('"10/minute"');
  expect(refused({ limit: undefined }, "ERR_AFORO_MISSING_OPTION")).toContain('"policies[0].limit" is required');
});

test("a burst goes with buckets only, and is at least 1", () => {
  for (const algorithm of ALGORITHMS) {
    const bucket = ["token-bucket", "gcra", "leaky-bucket"].includes(algorithm);
    if (bucket) expect(check({ algorithm, burst: 25 }).fixed?.capacity).toBe(25);
    else expect(refused({ algorithm, burst: 25 }, "ERR_AFORO_CONFLICTING_OPTIONS")).toContain(algorithm);
  }
  for (const burst of [0, -1, 1.5, NaN, "5", Infinity]) {
    expect(refused({ algorithm: "gcra", burst }, "ERR_AFORO_INVALID_OPTION")).toContain("burst");
  }
});

test("a delay goes with the leaky bucket only", () => {
  expect(check({ algorithm: "leaky-bucket", delayAfter: 3 }).fixed?.delayAfter).toBe(3);
  expect(check({ algorithm: "leaky-bucket" }).fixed?.delayAfter).toBe(0);
  expect(refused({ algorithm: "token-bucket", delayAfter: 3 }, "ERR_AFORO_CONFLICTING_OPTIONS")).toContain(
    "leaky-bucket",
  );
  expect(refused({ algorithm: "leaky-bucket", delayAfter: -1 }, "ERR_AFORO_INVALID_OPTION")).toContain("delayAfter");
});

test.each([
  ["algorithm", "token_bucket", 'did you mean "token-bucket"?'],
  ["algorithm", "sliding-window", "must be one of"],
  ["algorithm", 7, "got 7 (number)"],
  ["mode", "dry-run", "must be one of"],
  ["mode", "shadows", 'did you mean "shadow"?'],
  ["onStoreError", "open", "must be one of"],
])("%s: %p is refused", (option, value, hint) => {
  expect(refused({ [option]: value }, "ERR_AFORO_INVALID_OPTION")).toContain(hint);
});

test.each(["", " ", "a b", "a/b", "a:b", "{a}", "é", "-a", ".a", "a".repeat(65), "a\n", 5, null, undefined])(
  "a name of %p is refused",
  (name) => {
    expect(refused({ name }, "ERR_AFORO_INVALID_OPTION")).toContain('"policies[0].name"');
  },
);

test("names may be such as __proto__ only where they begin with a letter or digit", () => {
  expect(check({ name: "constructor" }).name).toBe("constructor");
  refused({ name: "__proto__" }, "ERR_AFORO_INVALID_OPTION");
});

test("a limit of 0 has no capacity, whatever the burst, and fills in no time", () => {
  for (const algorithm of ["token-bucket", "gcra", "leaky-bucket"] as const) {
    expect(check({ algorithm, limit: "0/minute", burst: 5 }).fixed).toMatchObject({ limit: 0, capacity: 0, span: 0 });
  }
});

test("the span of a bucket is the time to fill from empty, rounded up", () => {
  expect(check({ algorithm: "token-bucket", limit: 7, window: 1_000, burst: 3 }).fixed?.span).toBe(429);
  expect(check({ algorithm: "gcra", limit: 10, window: 1_000, burst: 25 }).fixed?.span).toBe(2_500);
});

test("what could not be counted exactly is refused, with what to change", () => {
  expect(refused({ algorithm: "token-bucket", limit: 2 ** 30, window: 2 ** 22 }, "ERR_AFORO_NOT_EXACT")).toContain(
    'lower "burst" or shorten "window"',
  );
  expect(
    refused({ algorithm: "leaky-bucket", limit: 1, window: 2 ** 22, delayAfter: 2 ** 30 }, "ERR_AFORO_NOT_EXACT"),
  ).toContain("delayAfter");
  expect(refused({ algorithm: "gcra", limit: 4_097, window: 1 }, "ERR_AFORO_NOT_EXACT")).toContain("token-bucket");
  expect(
    refused({ algorithm: "gcra", limit: 4_001, window: 1_000_003, burst: 2 ** 31 }, "ERR_AFORO_NOT_EXACT"),
  ).toContain("token-bucket");
  for (const algorithm of ["fixed-window", "sliding-window-log", "sliding-window-counter"] as const) {
    expect(check({ algorithm, limit: 2 ** 50, window: 2 ** 41 }).fixed?.limit).toBe(2 ** 50);
  }
});

test("algorithm, window, mode and names are part of where states live; a limit is not, but for gcra", () => {
  const spaces = [
    check({}),
    check({ name: "q" }),
    check({ algorithm: "fixed-window" }),
    check({ algorithm: "sliding-window-log" }),
    check({ algorithm: "token-bucket" }),
    check({ algorithm: "leaky-bucket" }),
    check({ algorithm: "gcra" }),
    check({ algorithm: "gcra", limit: "11/minute" }),
    check({ limit: "10/hour" }),
    check({ mode: "shadow" }),
    checkPolicy("other", { name: "p", limit: "10/minute" }, "policies[0]"),
  ].map(({ fixed }) => fixed?.space);
  expect(new Set(spaces).size).toBe(spaces.length);
  expect(check({ limit: "20/minute" }).fixed?.space).toBe(spaces[0]);
  expect(check({ algorithm: "token-bucket", burst: 3, limit: "20/minute" }).fixed?.space).toBe(spaces[4]);
  expect(check({ algorithm: "gcra", limit: "20/2m" }).fixed?.space).toBe(spaces[6]);
});

test("a limit function's answers are resolved when they come, and equal ones once", () => {
  const policy = check({ limit: () => "10/minute" });
  expect(policy.fixed).toBeUndefined();
  expect(policy.resolve("20/minute").limit).toBe(20);
  expect(policy.resolve("20/minute")).toBe(policy.resolve("20/minute"));
  for (let limit = 0; limit < 3_000; limit++) expect(policy.resolve(`${limit}/minute`).limit).toBe(limit);
  expect(refusal(() => policy.resolve(5), "ERR_AFORO_MISSING_OPTION").message).toContain('"policies[0].limit"');
  expect(refusal(() => policy.resolve(undefined as unknown as number), "ERR_AFORO_INVALID_OPTION").message).toContain(
    "got undefined",
  );
  refusal(() => policy.resolve("plenty"), "ERR_AFORO_INVALID_RATE");
});

test("a fallback goes with a limit function, and is checked at once", () => {
  expect(check({ limit: () => 5, window: 1_000, fallbackLimit: 3 }).fallback?.limit).toBe(3);
  expect(refused({ fallbackLimit: "5/minute" }, "ERR_AFORO_CONFLICTING_OPTIONS")).toContain("fallbackLimit");
  expect(refused({ limit: () => 5, window: 1_000, fallbackLimit: -3 }, "ERR_AFORO_INVALID_OPTION")).toContain(
    '"policies[0].fallbackLimit"',
  );
});
