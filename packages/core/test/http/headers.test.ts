import { fixed, limit } from "./serve.ts";

const START = 1_699_920_000;

/** The three customary headers, as numbers. */
function quota({ header }: { header: (name: string) => string | undefined }) {
  return ["limit", "remaining", "reset"].map((name) => Number(header(`x-ratelimit-${name}`) ?? NaN));
}

describe("what responses say of the quota", () => {
  test("every decided response carries limit, remaining and reset of the binding policy, once each", async () => {
    const { get } = limit({
      policies: [
        { name: "minute", limit: "5/minute", algorithm: "fixed-window" },
        { name: "hour", limit: "100/hour", algorithm: "fixed-window" },
      ],
    });
    expect(quota(await get())).toEqual([5, 4, START + 60]);
    const names = [...(await get()).exchange.sent.keys()];
    expect(names).toEqual(["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]);
  });

  test("reset is the moment to come back when rejected, else when the whole capacity is available again", async () => {
    for (const [reset, base] of [["epoch", START] as const, ["delta", 0] as const]) {
      const { get } = limit({ limit: "2/minute", algorithm: "gcra", headers: { reset } });
      expect(quota(await get())).toEqual([2, 1, base + 30]);
      expect(quota(await get())).toEqual([2, 0, base + 60]);
      const denied = await get();
      expect(quota(denied)).toEqual([2, 0, base + 30]);
      expect(denied.header("retry-after")).toBe("30");
    }
  });

  test.each([60_000, "60s", "1 minute"])(
    "A11 Retry-After is in seconds however the window %j is spelt",
    async (window) => {
      const { get, statuses } = fixed(undefined as never, { limit: 5, window });
      expect(await statuses(5)).toEqual([200, 200, 200, 200, 200]);
      expect((await get()).header("retry-after")).toBe("60");
    },
  );

  test.each([
    [9_300, "10"],
    [493, "1"],
    [1, "1"],
    [1_000, "1"],
    [1_001, "2"],
  ])("A12 a wait of %i ms is %s s, and waiting that long works", async (wait, seconds) => {
    const { get, clock } = fixed("1/minute");
    clock.advance(60_000 - wait);
    await get();
    const denied = await get();
    expect(denied.header("retry-after")).toBe(seconds);
    clock.advance(Number(seconds) * 1_000);
    expect((await get()).status).toBe(200);
  });

  test("A12 waiting as told works for every algorithm, in 1,000 random states", async () => {
    const algorithms = [
      "fixed-window",
      "sliding-window-log",
      "sliding-window-counter",
      "token-bucket",
      "gcra",
      "leaky-bucket",
    ] as const;
    let seed = 42;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let denials = 0;
    for (let round = 0; denials < 1_000; round++) {
      const algorithm = algorithms[round % 6] as (typeof algorithms)[number];
      const { get, clock } = limit({
        limit: random(5) + 1,
        window: random(20_000) + 1,
        algorithm,
        maxDelayMs: 0,
        rejectWith: "respond",
      });
      for (let step = 0; step < 20; step++) {
        clock.advance(random(3_000));
        const answer = await get();
        if (answer.status === 200) continue;
        const seconds = answer.header("retry-after") as string;
        expect(seconds).toMatch(/^[1-9][0-9]*$/);
        if (algorithm === "leaky-bucket") break;
        denials++;
        clock.advance(Number(seconds) * 1_000);
        expect((await get()).status).toBe(200);
      }
    }
  });

  test("A13 values scale with the period, and accepted responses carry no Retry-After and nothing negative", async () => {
    const { get } = limit({ limit: "2/minute", algorithm: "gcra", headers: { reset: "delta" } });
    const answers = [await get(), await get(), await get()];
    expect(answers.map((answer) => answer.header("x-ratelimit-reset"))).toEqual(["30", "60", "30"]);
    expect(answers.map((answer) => answer.header("retry-after"))).toEqual([undefined, undefined, "30"]);
    for (const { exchange } of answers) for (const value of exchange.sent.values()) expect(value).not.toContain("-1");
  });

  test("A14 a limit given by an asynchronous function gives numeric headers", async () => {
    const { get } = fixed(undefined as never, { limit: async () => 3, window: 60_000 });
    const answers = [await get(), await get(), await get(), await get()];
    expect(answers.map((answer) => answer.header("x-ratelimit-limit"))).toEqual(["3", "3", "3", "3"]);
    expect(answers.map((answer) => answer.header("x-ratelimit-remaining"))).toEqual(["2", "1", "0", "0"]);
    expect(answers.map((answer) => answer.header("retry-after"))).toEqual([undefined, undefined, undefined, "60"]);
  });

  test("Retry-After as a date is a whole second that is not too early", async () => {
    const { get } = fixed("1/minute", { headers: { retryAfter: "http-date" } });
    await get();
    const before = Date.now();
    const text = (await get()).header("retry-after") as string;
    expect(new Date(text).toUTCString()).toBe(text);
    expect(new Date(text).getTime()).toBeGreaterThanOrEqual(before + 60_000);
    expect(new Date(text).getTime()).toBeLessThanOrEqual(Date.now() + 61_000);
  });

  test("shadow policies and headers that are switched off do not show", async () => {
    const { get } = fixed("5/minute", {
      limit: undefined as never,
      algorithm: undefined as never,
      policies: [
        { name: "live", limit: "5/minute" },
        { name: "trial", limit: "1/minute", mode: "shadow" },
      ],
      headers: { draft: "draft-11" },
    });
    await get();
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.header("x-ratelimit-limit")).toBe("5");
    expect(answer.header("ratelimit")).not.toContain("trial");
    const silent = fixed("1/minute", { headers: false });
    expect([...(await silent.get()).exchange.sent.keys()]).toEqual([]);
    const denied = await silent.get();
    expect([...denied.exchange.sent.keys()].sort()).toEqual(["cache-control", "content-type", "retry-after"]);
  });
});

describe("A15 scripts of other origins can read the headers", () => {
  const allowed = (text: string | undefined) => text?.split(", ") ?? [];

  test.each(["draft-6", "draft-7", "draft-11", undefined] as const)(
    "every name that is emitted with %s is exposed",
    async (draft) => {
      const { get } = fixed("1/minute", { headers: { expose: true, ...(draft === undefined ? {} : { draft }) } });
      for (const answer of [await get(), await get()]) {
        const exposed = allowed(answer.header("access-control-expose-headers")).map((name) => name.toLowerCase());
        expect(new Set(exposed).size).toBe(exposed.length);
        for (const name of answer.exchange.sent.keys()) {
          if (/ratelimit|retry-after/.test(name)) expect(exposed).toContain(name);
        }
        expect(exposed).toContain("retry-after");
      }
    },
  );

  test("what the application exposes stays, and nothing is named twice", async () => {
    const { get } = fixed("5/minute", { headers: { expose: true } });
    const answer = await get({ set: { "Access-Control-Expose-Headers": "ETag, x-ratelimit-limit" } });
    expect(answer.header("access-control-expose-headers")).toBe(
      "ETag, x-ratelimit-limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After",
    );
  });

  test("switched off, nothing is touched", async () => {
    const { get } = fixed("5/minute");
    expect((await get()).header("access-control-expose-headers")).toBeUndefined();
    const answer = await get({ set: { "Access-Control-Expose-Headers": "ETag" } });
    expect(answer.header("access-control-expose-headers")).toBe("ETag");
  });
});
