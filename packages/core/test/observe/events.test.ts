import {
  createLimiter,
  recordHash,
  type LimiterEvent,
  type LimiterOptions,
  type StoreMessage,
} from "../../src/index.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { promisedStore } from "../support/promised-store.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { listen, stopListening } from "./listen.ts";

afterEach(stopListening);

const SECRET = "a secret of the tests";

describe("near-limit", () => {
  function watched(options: Partial<LimiterOptions>) {
    const clock = manualClock();
    const events: LimiterEvent[] = [];
    const limiter = createLimiter({
      store: referenceStore(clock),
      policies: [{ name: "p", limit: "10/minute", algorithm: "fixed-window" }],
      secret: SECRET,
      onEvent: (event) => void events.push(event),
      ...options,
    });
    return { clock, limiter, events };
  }

  test("is told when what is used reaches 0.8 of the capacity, once for a key and window", async () => {
    const { clock, limiter, events } = watched({});
    for (let i = 0; i < 7; i++) await limiter.consume("user:a");
    expect(events).toEqual([]);
    for (let i = 0; i < 5; i++) await limiter.consume("user:a");
    const detail = {
      keyKind: "user",
      keyHash: recordHash(SECRET, "user:a"),
      capacity: 10,
      remaining: 2,
      resetMs: 60_000,
    };
    expect(events).toEqual([{ type: "near-limit", limiter: "default", policy: "p", detail }]);
    await limiter.consume("user:b", 9);
    expect(events).toHaveLength(2);
    clock.advance(60_000);
    await limiter.consume("user:a", 8);
    expect(events).toHaveLength(3);
  });

  test("is told once, though a bucket that drains crosses the ratio with every request", async () => {
    const { clock, limiter, events } = watched({
      policies: [{ name: "p", limit: "60/minute", burst: 10, algorithm: "token-bucket" }],
    });
    await limiter.consume("k", 7);
    for (let i = 0; i < 30; i++) {
      await limiter.consume("k");
      clock.advance(1_000);
    }
    expect(events).toHaveLength(1);
  });

  test("is silent about denials, looks, shadows, and limits that leave nothing between", async () => {
    const { limiter, events } = watched({
      policies: [
        { name: "one", limit: "1/minute" },
        { name: "shadow", limit: "10/minute", mode: "shadow" },
      ],
    });
    await limiter.consume("k");
    await limiter.consume("k");
    await limiter.consume({ one: null, shadow: "k" }, 8);
    await limiter.consume("new", 0);
    expect(events).toEqual([]);
  });

  test("has a ratio of its own", async () => {
    const { limiter, events } = watched({ nearLimit: 0.5 });
    await limiter.consume("k", 4);
    expect(events).toEqual([]);
    await limiter.consume("k", 1);
    expect(events).toHaveLength(1);
  });
});

describe("the channel aforo:event", () => {
  test("carries what onEvent hears, without onEvent", async () => {
    const heard = listen<LimiterEvent>("aforo:event");
    const limiter = createLimiter({
      store: referenceStore(manualClock()),
      policies: [{ name: "p", limit: "10/minute" }],
    });
    limiter.consume("k", 8);
    limiter.consume("k", -1);
    expect(heard.map(({ type }) => type)).toEqual(["near-limit", "bad-cost"]);
  });
});

describe("the channel aforo:store", () => {
  test("carries each call of a store with its verb, its time and what it failed with", async () => {
    const heard = listen<StoreMessage>("aforo:store");
    const store = promisedStore(referenceStore(manualClock()));
    const limiter = createLimiter({ name: "calls", store, policies: [{ name: "p", limit: "10/minute" }] });
    const decision = await limiter.consume("k");
    await limiter.refund(await limiter.raise(decision, 2));
    await limiter.peek("k");
    await limiter.explain("k");
    store.fault = "reject";
    await limiter.consume("k");
    const calls = heard.filter((message) => message.type === "call");
    expect(calls.map(({ verb, error }) => [verb, error])).toEqual([
      ["consume", undefined],
      ["raise", undefined],
      ["refund", undefined],
      ["peek", undefined],
      ["inspect", undefined],
      ["consume", "Error"],
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ limiter: "calls", store: "promised", source: "store" });
      expect(call.durationMs).toBeGreaterThanOrEqual(0);
    }
    await limiter.close();
  });

  test("carries the breaker's transitions, each once", async () => {
    const heard = listen<StoreMessage>("aforo:store");
    const store = promisedStore(referenceStore(manualClock()));
    const policies = [{ name: "p", limit: "10/minute" }];
    const limiter = createLimiter({ store, policies, breakerThreshold: 2, probeIntervalMs: 10 });
    const changes = (): unknown[] => heard.filter(({ type }) => type === "up" || type === "down");
    store.fault = "reject";
    for (let i = 0; i < 4; i++) await limiter.consume("k");
    expect(changes()).toEqual([{ type: "down", limiter: "default", store: "promised", error: "Error" }]);
    store.fault = "none";
    while (changes().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(changes()[1]).toEqual({ type: "up", limiter: "default", store: "promised", error: undefined });
    await limiter.close();
  });

  test("carries what was done to keys by hand, under the hashes of records", async () => {
    const heard = listen<StoreMessage>("aforo:store");
    const policies = [
      { name: "a", limit: "10/minute" },
      { name: "b", limit: "10/minute" },
    ];
    const limiter = createLimiter({ store: referenceStore(manualClock()), policies, secret: SECRET });
    limiter.block("user:42", 60_000);
    limiter.reset({ a: "user:42", b: null });
    limiter.charge("user:42", 7);
    const key = { keyKind: "user", keyHash: recordHash(SECRET, "user:42") };
    const keys = [
      { policy: "a", ...key },
      { policy: "b", ...key },
    ];
    const about = { limiter: "default", store: "reference" };
    expect(heard.filter(({ type }) => type !== "call")).toEqual([
      { type: "block", ...about, keys, ms: 60_000 },
      { type: "reset", ...about, keys: [keys[0]] },
      { type: "charge", ...about, keys, cost: 7 },
    ]);
  });

  test("makes no message of an error's text, which may quote a key", async () => {
    const heard = listen<StoreMessage>("aforo:store");
    const store = referenceStore(manualClock());
    const limiter = createLimiter({
      store: {
        ...store,
        consume(checks) {
          throw Object.assign(new Error(`failed on ${checks[0]?.stateKey}`), { code: "EXAMPLE" });
        },
      },
      policies: [{ name: "p", limit: "10/minute" }],
    });
    limiter.consume("user:planted");
    expect(heard).toMatchObject([{ type: "call", error: "EXAMPLE" }]);
    expect(JSON.stringify(heard)).not.toContain("planted");
  });
});
