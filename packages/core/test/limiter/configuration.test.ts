import { createLimiter } from "../../src/limiter/create-limiter.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";

const store = () => referenceStore(manualClock());
const policy = { name: "p", limit: "10/minute" };

/** [what is wrong, the options, the error's code, what its message must name] */
const REFUSED: readonly (readonly [string, object, string, string])[] = [
  [
    "an unknown option, with the nearest name",
    { policies: [policy], storeTimeout: 5 },
    "ERR_AFORO_UNKNOWN_OPTION",
    'did you mean "storeTimeoutMs"',
  ],
  [
    "an unknown option of a policy",
    { policies: [{ ...policy, windows: 5 }] },
    "ERR_AFORO_UNKNOWN_OPTION",
    'policies[0] has no option "windows"; did you mean "window"',
  ],
  ["no policies", {}, "ERR_AFORO_MISSING_OPTION", '"policies"'],
  ["an empty list of policies", { policies: [] }, "ERR_AFORO_MISSING_OPTION", '"policies"'],
  ["two policies of one name", { policies: [policy, policy] }, "ERR_AFORO_DUPLICATE_NAME", '"policies[1].name"'],
  ["a policy that is no object", { policies: ["10/minute"] }, "ERR_AFORO_INVALID_OPTION", "policies[0]"],
  ["a name that could run into another", { name: "a/b", policies: [policy] }, "ERR_AFORO_INVALID_OPTION", '"name"'],
  ["an empty name", { name: "", policies: [policy] }, "ERR_AFORO_INVALID_OPTION", '"name"'],
  ["a policy without a name", { policies: [{ limit: "1/minute" }] }, "ERR_AFORO_INVALID_OPTION", '"policies[0].name"'],
  ["no limit", { policies: [{ name: "p" }] }, "ERR_AFORO_MISSING_OPTION", '"policies[0].limit"'],
  [
    "a limit that is a numeric string",
    { policies: [{ name: "p", limit: "10", window: 1 }] },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    '"policies[0].limit"',
  ],
  [
    "a rate that is none",
    { policies: [{ name: "p", limit: "many/minute" }] },
    "ERR_AFORO_INVALID_RATE",
    '"policies[0].limit"',
  ],
  ["a limit without a window", { policies: [{ name: "p", limit: 10 }] }, "ERR_AFORO_MISSING_OPTION", '"window"'],
  ["a window beside a rate", { policies: [{ ...policy, window: "1m" }] }, "ERR_AFORO_CONFLICTING_OPTIONS", '"window"'],
  ...[NaN, -1, 1.5, Infinity, 2 ** 51].map(
    (limit) =>
      [
        `a limit of ${limit}`,
        { policies: [{ name: "p", limit, window: 1_000 }] },
        "ERR_AFORO_INVALID_OPTION",
        '"policies[0].limit"',
      ] as const,
  ),
  ...[null, true, {}, []].map(
    (limit) =>
      [
        `a limit of ${JSON.stringify(limit)}`,
        { policies: [{ name: "p", limit, window: 1_000 }] },
        "ERR_AFORO_INVALID_OPTION",
        '"policies[0].limit"',
      ] as const,
  ),
  ...["", "soon", -1, NaN, 0, Infinity, 1.5, "0s", "-1s", "1.0001 ms", null].map(
    (window) =>
      [
        `A57 a window of ${JSON.stringify(window)}`,
        { policies: [{ name: "p", limit: 1, window }] },
        "ERR_AFORO_INVALID_DURATION",
        '"policies[0].window"',
      ] as const,
  ),
  [
    "an unknown algorithm",
    { policies: [{ ...policy, algorithm: "token-buckets" }] },
    "ERR_AFORO_INVALID_OPTION",
    'did you mean "token-bucket"',
  ],
  [
    "a burst on a window algorithm",
    { policies: [{ ...policy, burst: 5 }] },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    '"policies[0].burst"',
  ],
  [
    "a burst of 0",
    { policies: [{ ...policy, algorithm: "gcra", burst: 0 }] },
    "ERR_AFORO_INVALID_OPTION",
    '"policies[0].burst"',
  ],
  [
    "delayAfter outside leaky-bucket",
    { policies: [{ ...policy, algorithm: "gcra", delayAfter: 0 }] },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    '"policies[0].delayAfter"',
  ],
  ["a mode that is none", { policies: [{ ...policy, mode: "dry" }] }, "ERR_AFORO_INVALID_OPTION", '"policies[0].mode"'],
  [
    "a fallbackLimit beside a fixed limit",
    { policies: [{ ...policy, fallbackLimit: "1/minute" }] },
    "ERR_AFORO_CONFLICTING_OPTIONS",
    '"policies[0].fallbackLimit"',
  ],
  [
    "a bad fallbackLimit",
    { policies: [{ name: "p", limit: () => 1, fallbackLimit: "x" }] },
    "ERR_AFORO_INVALID_RATE",
    '"policies[0].fallbackLimit"',
  ],
  [
    "a bucket that is not exact",
    { policies: [{ name: "p", algorithm: "token-bucket", limit: "1/day", burst: 2 ** 40 }] },
    "ERR_AFORO_NOT_EXACT",
    'lower "burst"',
  ],
  [
    "a gcra that is not exact",
    { policies: [{ name: "p", algorithm: "gcra", limit: "5003/minute" }] },
    "ERR_AFORO_NOT_EXACT",
    'use "token-bucket"',
  ],
  [
    "a failure policy that is none",
    { policies: [policy], onStoreError: "open" },
    "ERR_AFORO_INVALID_OPTION",
    '"onStoreError"',
  ],
  ["a timeout of 0", { policies: [policy], storeTimeoutMs: 0 }, "ERR_AFORO_INVALID_OPTION", '"storeTimeoutMs"'],
  [
    "a timeout that is a string",
    { policies: [policy], storeTimeoutMs: "100" },
    "ERR_AFORO_INVALID_OPTION",
    '"storeTimeoutMs"',
  ],
  ["no instances", { policies: [policy], instances: 0 }, "ERR_AFORO_INVALID_OPTION", '"instances"'],
  ["a store that is none", { policies: [policy], store: {} }, "ERR_AFORO_INVALID_OPTION", '"store"'],
  ["a listener that is none", { policies: [policy], onEvent: "log" }, "ERR_AFORO_INVALID_OPTION", '"onEvent"'],
  ["shared that is not boolean", { policies: [policy], shared: "yes" }, "ERR_AFORO_INVALID_OPTION", '"shared"'],
];

test.each(REFUSED)("%s is refused", (_, options, code, named) => {
  const create = () => createLimiter({ store: store(), ...options } as never);
  expect(create).toThrow(expect.objectContaining({ name: "ConfigError", code }));
  expect(create).toThrow(named);
});

test.each([undefined, null, "10/minute", 10, []])("options of %p are refused", (options) => {
  expect(() => createLimiter(options as never)).toThrow(expect.objectContaining({ code: "ERR_AFORO_INVALID_OPTION" }));
});

test("A57 the spellings of one window mean the same", () => {
  const windows = ["1 minute", "60s", 60_000, "1m", "1 min", "MINUTE", "0.001 minutes".replace("0.001", "1.0")].map(
    (window) =>
      createLimiter({ store: store(), policies: [{ name: "p", limit: 1, window }] }).policies[0]?.fixed?.window,
  );
  expect(new Set(windows)).toEqual(new Set([60_000]));
  expect(
    createLimiter({ store: store(), policies: [{ name: "p", limit: 1, window: 600_001 }] }).policies[0]?.fixed?.window,
  ).toBe(600_001);
  expect(createLimiter({ store: store(), policies: [{ name: "p", limit: "1/1.5s" }] }).policies[0]?.fixed?.window).toBe(
    1_500,
  );
});

describe("two limiters of one name on one store", () => {
  test("are refused, unless both say that they share", () => {
    const one = store();
    createLimiter({ name: "api", store: one, policies: [policy], shared: true });
    expect(() => createLimiter({ name: "api", store: one, policies: [policy] })).toThrow(
      expect.objectContaining({ code: "ERR_AFORO_DUPLICATE_NAME" }),
    );
    expect(createLimiter({ name: "api", store: one, policies: [policy], shared: true }).name).toBe("api");
    expect(createLimiter({ name: "api", store: store(), policies: [policy] }).name).toBe("api");
  });

  test("may follow one another once the first is closed", () => {
    const one = store();
    const first = createLimiter({ name: "api", store: one, policies: [policy] });
    void first.close();
    void first.close();
    expect(createLimiter({ name: "api", store: one, policies: [policy] }).name).toBe("api");
  });
});
