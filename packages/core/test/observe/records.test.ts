import { createLimiter, recordHash, type DecisionRecord, type LimiterOptions } from "../../src/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { listen, stopListening } from "./listen.ts";

afterEach(stopListening);

const SECRET = "a secret of the tests";

function recorded(options: Partial<LimiterOptions>) {
  const records: DecisionRecord[] = [];
  const limiter = createLimiter({
    store: referenceStore(manualClock()),
    policies: [{ name: "minute", limit: "10/minute" }],
    secret: SECRET,
    onDecision: (record) => void records.push(record),
    ...options,
  });
  return { limiter, records };
}

describe("a record", () => {
  test("holds what an operator asks for, and is what JSON keeps of it", async () => {
    const { limiter, records } = recorded({});
    await limiter.consumeEach([{ policy: 0, key: "user:42", cost: 3 }], undefined, undefined, "search");
    const [record] = records;
    const { storeMs, ...rest } = record as DecisionRecord;
    expect(storeMs).toBeGreaterThanOrEqual(0);
    const policy = {
      policy: "minute",
      algorithm: "sliding-window-counter",
      limit: 10,
      window: 60_000,
      capacity: 10,
      cost: 3,
      remaining: 7,
      resetMs: 100_001,
      waitMs: 0,
      keyKind: "user",
      keyHash: recordHash(SECRET, "user:42"),
    };
    expect(rest).toEqual({
      ...policy,
      at: 1_699_920_000_000,
      limiter: "default",
      class: "search",
      decision: "admitted",
      reason: "admitted",
      source: "store",
      raised: false,
      storeDown: false,
      delayMs: 0,
      nearLimit: false,
      policies: [{ ...policy, allowed: true }],
      shadows: [],
    });
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  test("of a denial is about the policy that waits longest, with its own key", async () => {
    const { limiter, records } = recorded({
      policies: [
        { name: "network", limit: "100/minute" },
        { name: "account", limit: "1/minute" },
      ],
    });
    const keys = { network: "ip:192.0.2.1", account: "user:42" };
    await limiter.consume(keys);
    await limiter.consume(keys);
    expect(records.map(({ decision, policy }) => [decision, policy])).toEqual([
      ["admitted", "account"],
      ["denied", "account"],
    ]);
    expect(records[1]).toMatchObject({ reason: "quota", keyKind: "user", keyHash: recordHash(SECRET, "user:42") });
    expect(records[1]?.policies.map(({ keyKind }) => keyKind)).toEqual(["ip", "user"]);
    expect(records[1]?.waitMs).toBeGreaterThan(0);
  });

  test("of a cost that is never admitted waits null, since JSON has no Infinity", async () => {
    const { limiter, records } = recorded({});
    await limiter.consume("k", 11);
    expect(records[0]).toMatchObject({ decision: "denied", reason: "cost-above-limit", waitMs: null });
  });

  test("of a raise says so, and whoever was told of a decision is told of what replaces it", async () => {
    let random = 0;
    jest.spyOn(Math, "random").mockImplementation(() => random);
    try {
      const { limiter, records } = recorded({ sample: 0.5 });
      const first = await limiter.consume("k", 1);
      random = 0.9;
      await limiter.raise(first, 4);
      await limiter.raise(await limiter.consume("other", 1), 2);
      expect(records.map(({ raised, cost }) => [raised, cost])).toEqual([
        [false, 1],
        [true, 4],
      ]);
    } finally {
      jest.restoreAllMocks();
    }
  });

  test.each([
    ["local", "admitted", "local", "minute"],
    ["allow", "admitted", "fail-open", undefined],
    ["deny", "denied", "fail-closed", undefined],
  ] as const)(
    "under %j says who decided while the store fails, and for whom",
    async (mode, decision, source, policy) => {
      const store = promisedStore(referenceStore(manualClock()));
      const { limiter, records } = recorded({ store, onStoreError: mode, breakerThreshold: 2, storeTimeoutMs: 1_000 });
      store.fault = "reject";
      for (let i = 0; i < 3; i++) await limiter.consume("user:42");
      expect(records[2]).toMatchObject({ decision, source, policy, cost: 1, storeDown: true, keyKind: "user" });
      expect(records.map(({ storeMs }) => typeof storeMs)).toEqual(["number", "number", "undefined"]);
      await limiter.close();
    },
  );
});

describe("keys in records", () => {
  test("are known by their kind, and a name space of somebody else's is none", async () => {
    const { limiter, records } = recorded({});
    for (const key of ["ip:192.0.2.1", "api:#digest", "alice:smith", "no colon", ":", "x".repeat(200)])
      await limiter.consume(key);
    expect(records.map(({ keyKind }) => keyKind)).toEqual(["ip", "api", "text", "text", "text", "text"]);
    expect(new Set(records.map(({ keyHash }) => keyHash)).size).toBe(6);
    for (const { keyHash } of records) expect(keyHash).toMatch(/^[0-9a-f]{16}$/);
  });

  test("hash alike in all limiters with one secret, and in no two without", async () => {
    const hashOf = async (secret: object): Promise<string | undefined> => {
      const { limiter, records } = recorded({ name: `l${Math.random()}`.replace(".", "-"), ...secret });
      await limiter.consume("user:42");
      return records[0]?.keyHash;
    };
    expect(await hashOf({})).toBe(await hashOf({}));
    expect(await hashOf({ secret: undefined })).not.toBe(await hashOf({ secret: undefined }));
    expect(await hashOf({ secret: "another secret here" })).not.toBe(await hashOf({}));
  });

  test("keep their hash however many others come between", async () => {
    const { limiter, records } = recorded({ policies: [{ name: "p", limit: "1/day", algorithm: "gcra" }] });
    for (const key of ["user:a", ...Array.from({ length: 40_000 }, (_, index) => `user:${index}`), "user:a"])
      await limiter.consume(key);
    expect(records.at(-1)?.keyHash).toBe(records[0]?.keyHash);
  });
});

describe("sampling", () => {
  test("takes each outcome at its own share", async () => {
    const { limiter, records } = recorded({
      policies: [{ name: "p", limit: "5000/day" }],
      sample: { admitted: 0.1, denied: 0.5 },
    });
    for (let i = 0; i < 10_000; i++) await limiter.consume("k");
    const taken = (decision: string) => records.filter((record) => record.decision === decision).length;
    // 500 and 2,500 on average; ten standard deviations apart.
    expect(Math.abs(taken("admitted") - 500)).toBeLessThan(212);
    expect(Math.abs(taken("denied") - 2_500)).toBeLessThan(354);
  });

  test.each([
    [0, 0],
    [1, 2],
    [{ admitted: 0 }, 1],
    [{ denied: 0 }, 1],
  ])("%j of an admission and a denial is %j", async (sample, count) => {
    const { limiter, records } = recorded({ policies: [{ name: "p", limit: "1/day" }], sample });
    for (let i = 0; i < 2; i++) await limiter.consume("k");
    expect(records).toHaveLength(count);
  });

  test.each([[-0.1], [1.1], [NaN], ["0.5"], [{ denied: 2 }], [{ admited: 1 }]])(
    "%j is refused at construction",
    (sample) => {
      expect(() => recorded({ sample: sample as never })).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^ERR_AFORO_(INVALID|UNKNOWN)_OPTION$/) as string }),
      );
    },
  );

  test("a listener that throws breaks nothing", async () => {
    const { limiter } = recorded({
      onDecision() {
        throw new Error("the logger is full");
      },
    });
    expect(await limiter.consume("k")).toMatchObject({ allowed: true });
  });

  test.each([
    ["onDecision", 1],
    ["secret", "too short"],
    ["nearLimit", 80],
  ])("a wrong %s is refused, and a secret is not spelt out", (option, value) => {
    const refused = (): unknown => recorded({ [option]: value });
    expect(refused).toThrow(expect.objectContaining({ code: "ERR_AFORO_INVALID_OPTION" }));
    expect(refused).not.toThrow(/too short/);
  });
});

describe("shadow policies", () => {
  test("say in records whether they would deny, would allow, or agree", async () => {
    const { limiter, records } = recorded({
      policies: [
        { name: "live", limit: "2/minute", algorithm: "fixed-window" },
        { name: "stricter", limit: "1/minute", algorithm: "fixed-window", mode: "shadow" },
        { name: "looser", limit: "3/minute", algorithm: "fixed-window", mode: "shadow" },
      ],
    });
    for (let i = 0; i < 4; i++) await limiter.consume("k");
    expect(records.map(({ decision, shadows }) => [decision, ...shadows.map(({ verdict }) => verdict)])).toEqual([
      ["admitted", "agree", "agree"],
      ["admitted", "would-deny", "agree"],
      ["denied", "agree", "would-allow"],
      ["denied", "agree", "agree"],
    ]);
    expect(records[1]).toMatchObject({
      policies: [{ policy: "live" }],
      shadows: [{ policy: "stricter", allowed: false }, {}],
    });
  });
});

describe("the channel aforo:decision", () => {
  test("carries every decision, whatever the sample, as the record that onDecision gets", async () => {
    const heard = listen<DecisionRecord>("aforo:decision");
    const { limiter, records } = recorded({ sample: 0 });
    await limiter.consume("k");
    await limiter.peek("k");
    expect(heard).toMatchObject([{ limiter: "default", decision: "admitted" }]);
    expect(records).toEqual([]);
    stopListening();
    await limiter.consume("k");
    expect(heard).toHaveLength(1);
  });
});
