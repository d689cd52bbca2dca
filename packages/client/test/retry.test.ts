import { createFetch, type AforoFetch, type GiveUpEvent } from "../src/index.ts";
import { scripted } from "./support/scripted.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { EPOCH, VirtualTime } from "./support/virtual-time.ts";

const URL = "http://api.test/items";
const at = (ms: number): string => new Date(EPOCH + ms).toUTCString();

describe("A63 a malformed or missing Retry-After is no header", () => {
  test.each(["soon", "", "12abc", "Wed, 99 Foo 2026", undefined])(
    "%j: backoff between the base and ceilings that double",
    async (value) => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const headers: Record<string, string> = value === undefined ? {} : { "retry-after": value };
        const { fetch, time, requestedAt, retries, waits } = scripted([[429, headers]], {
          baseDelayMs: 100,
          maxRetries: 3,
          pace: false,
          random: seededRandom(seed),
        });
        const response = await time.run(fetch(URL));
        expect(response.status).toBe(429);
        expect(requestedAt).toHaveLength(4);
        expect(retries.map(({ source }) => source)).toEqual(["backoff", "backoff", "backoff"]);
        for (const [index, wait] of waits().entries()) {
          expect(wait).toBeGreaterThanOrEqual(100);
          expect(wait).toBeLessThan(100 * 2 ** (index + 1));
        }
      }
    },
  );
});

describe("A65 jitter only lengthens a stated wait", () => {
  test("a thousand clients told 10 s come back after it, spread, below the cap", async () => {
    const time = new VirtualTime();
    const clients = Array.from({ length: 1000 }, (_, index) =>
      scripted([[429, { "retry-after": "10" }], [200]], { random: seededRandom(index) }, time),
    );
    await time.run(Promise.all(clients.map(({ fetch }) => fetch(URL))));
    const waits = clients.map((client) => client.waits()[0]!);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(500);
    expect(new Set(waits.map(Math.round)).size).toBeGreaterThan(500);
    expect(Math.max(...waits)).toBeLessThan(600_000);
  });

  test("the wait alone, without pacing, is lengthened by at most the share", async () => {
    const { fetch, time, retries } = scripted([[429, { "retry-after": "10" }]], {
      jitter: 0.5,
      pace: false,
      maxRetries: 50,
      budget: false,
    });
    await time.run(fetch(URL));
    for (const { waitMs } of retries) expect(waitMs >= 10_000 && waitMs <= 15_000).toBe(true);
    expect(Math.max(...retries.map(({ waitMs }) => waitMs))).toBeGreaterThan(13_000);
  });

  test("jitter never passes the cap", async () => {
    const { fetch, time, retries } = scripted([[429, { "retry-after": "10" }]], {
      jitter: 1,
      maxDelayMs: 11_000,
      maxRetries: 20,
      budget: false,
      pace: false,
    });
    await time.run(fetch(URL));
    expect(Math.max(...retries.map(({ waitMs }) => waitMs))).toBe(11_000);
  });
});

describe("A66 seconds are seconds, fractions too", () => {
  test.each([
    ["299.997", 299_997],
    ["2", 2000],
    [" 2 ", 2000],
  ])("Retry-After %j waits at least %d ms with default options", async (value, ms) => {
    const { fetch, time, waits } = scripted([[429, { "retry-after": value }], [200]]);
    expect((await time.run(fetch(URL))).status).toBe(200);
    expect(waits()[0]).toBeGreaterThanOrEqual(ms);
  });
});

describe("the order of the rules", () => {
  const wait = async (headers: Record<string, string>): Promise<[number, string]> => {
    const { fetch, time, retries } = scripted([[429, headers], [200]], { jitter: 0, baseDelayMs: 10, pace: false });
    await time.run(fetch(URL));
    return [retries[0]!.waitMs, retries[0]!.source];
  };

  test("Retry-After comes before everything", async () => {
    expect(await wait({ "retry-after": "3", "x-ratelimit-reset": "7", ratelimit: '"a";r=0;t=9' })).toEqual([
      3000,
      "retry-after",
    ]);
  });

  test("a date counts from the server's Date, whatever the local clock shows", async () => {
    expect(await wait({ "retry-after": at(-86_400_000 + 3000), date: at(-86_400_000) })).toEqual([3000, "retry-after"]);
  });

  test("else X-RateLimit-Reset, as an epoch of the server's clock or as a delay", async () => {
    const date = at(3_600_000);
    expect(await wait({ "retry-after": "soon", "x-ratelimit-reset": String(EPOCH / 1000 + 3607), date })).toEqual([
      7000,
      "reset",
    ]);
    expect(await wait({ "x-ratelimit-reset": "7", ratelimit: '"a";r=0;t=9' })).toEqual([7000, "reset"]);
  });

  test.each([
    [{ ratelimit: '"a";r=9;t=99, "b";r=0;t=9, "c";r=0;t=5' }],
    [{ ratelimit: "limit=10, remaining=0, reset=9" }],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": "9" }],
    [{ "x-rate-limit-remaining": "0", "x-rate-limit-reset": "9" }],
  ])("else the reset of the RateLimit fields: %j", async (headers) => {
    expect(await wait(headers)).toEqual([9000, "reset"]);
  });

  test("else backoff; what a cache says of quotas does not count", async () => {
    expect((await wait({ "x-ratelimit-reset": "7", age: "3" }))[1]).toBe("backoff");
  });

  test.each(["0", "0.005", at(-1000)])(
    "a stated wait below the base (%s) is backoff, so no server can make a tight loop",
    async (value) => {
      const { fetch, time, waits } = scripted([[429, { "retry-after": value }]], { baseDelayMs: 100, pace: false });
      await time.run(fetch(URL));
      expect(Math.min(...waits())).toBeGreaterThanOrEqual(100);
    },
  );
});

describe("giving up", () => {
  const events: GiveUpEvent[] = [];
  const onGiveUp = (event: GiveUpEvent): number => events.push(event);
  const never = [
    429,
    { "content-type": "application/problem+json" },
    '{"type":"https://aforo.dev/problems#cost-above-limit"}',
  ] as const;

  beforeEach(() => void events.splice(0));

  test.each([
    ["wait-above-cap", { maxDelayMs: 5000 }, [429, { "retry-after": "6" }], 6000],
    ["wait-above-deadline", { deadlineMs: 5000, jitter: 0 }, [429, { "retry-after": "6" }], 6000],
    ["retries-exhausted", { maxRetries: 0 }, [429, { "retry-after": "6" }], undefined],
    ["never-admissible", {}, never, undefined],
    ["retry-budget", { budget: { share: 0, perMinute: 0 }, jitter: 0 }, [429, { "retry-after": "6" }], 6000],
    ["method", { methods: ["HEAD"] }, [429, { "retry-after": "6" }], undefined],
  ] as const)("%s: at once, with the response unread, and it says so", async (reason, options, step, waitMs) => {
    const { fetch, time, requestedAt } = scripted([step], { ...options, onGiveUp });
    const response = await time.run(fetch(URL));
    expect(response.status).toBe(429);
    expect(response.bodyUsed).toBe(false);
    expect((await response.text()).length).toBeGreaterThan(0);
    expect(requestedAt).toEqual([0]);
    expect(time.clock()).toBe(EPOCH);
    expect(fetch.outcome(response)).toEqual({ attempts: 1, gaveUp: reason, waitMs });
    expect(events).toEqual([{ reason, attempts: 1, url: URL, method: "GET", waitMs, status: 429, error: undefined }]);
  });

  test("a one-shot body is not sent again", async () => {
    const { fetch, time, requestedAt } = scripted([[429, { "retry-after": "1" }]]);
    const body = new ReadableStream({ start: (controller) => controller.close() });
    const response = await time.run(fetch(URL, { method: "PUT", body, duplex: "half" }));
    expect(fetch.outcome(response)?.gaveUp).toBe("body");
    expect(requestedAt).toHaveLength(1);
  });

  test("after every retry the last response comes back", async () => {
    const { fetch, time } = scripted([[429, { "retry-after": "1" }]], { maxRetries: 2 });
    const response = await time.run(fetch(URL));
    expect(fetch.outcome(response)).toEqual({ attempts: 3, gaveUp: "retries-exhausted", waitMs: undefined });
  });

  test("a success has an outcome too, a stranger has none", async () => {
    const { fetch, time } = scripted([[429, { "retry-after": "1" }], [200]]);
    expect(fetch.outcome(await time.run(fetch(URL)))).toEqual({ attempts: 2, gaveUp: undefined, waitMs: undefined });
    expect(fetch.outcome(new Response())).toBeUndefined();
  });

  test.each([
    ["another type", "application/problem+json", '{"type":"about:blank"}'],
    ["no JSON", "application/problem+json; charset=utf-8", "{"],
    ["no object", "application/problem+json", "null"],
    ["another media type", "application/json", '{"type":"cost-above-limit"}'],
    [
      "a document too large to be heeded",
      "application/problem+json",
      JSON.stringify({ pad: "x".repeat(20_000), type: "cost-above-limit" }),
    ],
  ])("a problem that is %s is retried", async (_, type, body) => {
    const { fetch, time } = scripted([[429, { "content-type": type, "retry-after": "1" }, body], [200]]);
    expect((await time.run(fetch(URL))).status).toBe(200);
  });

  test("a problem that never ends is waited for a second at most", async () => {
    const stuck = (): Response =>
      new Response(new ReadableStream(), {
        status: 429,
        headers: { "content-type": "application/problem+json", "retry-after": "1" },
      });
    const tookMs = async (): Promise<number> => {
      const { fetch, time, requestedAt } = scripted([stuck, [200]]);
      const start = performance.now();
      expect((await time.run(fetch(URL))).status).toBe(200);
      expect(requestedAt).toHaveLength(2);
      return performance.now() - start;
    };
    // The machine may hold up one of them.
    expect(Math.min(...(await Promise.all([tookMs(), tookMs()])), await tookMs())).toBeLessThan(3000);
  });
});

describe("what is retried", () => {
  const attempts = async (
    steps: Parameters<typeof scripted>[0],
    options: Parameters<typeof scripted>[1],
    init: RequestInit = {},
  ): Promise<number> => {
    const { fetch, time, requestedAt } = scripted(steps, options);
    await time.run(fetch(URL, init).catch(() => {}));
    return requestedAt.length;
  };
  const refused = [429, { "retry-after": "1" }] as const;
  const closed = [503, { "retry-after": "1" }] as const;

  test("429, and 503 with Retry-After; nothing else by default", async () => {
    expect(await attempts([refused, closed, [200]], {})).toBe(3);
    expect(await attempts([[503], [200]], {})).toBe(1);
    expect(await attempts([[503, { "retry-after": "soon" }], [200]], {})).toBe(1);
    expect(await attempts([[500, { "retry-after": "1" }], [200]], {})).toBe(1);
    expect(await attempts([new TypeError("fetch failed"), [200]], {})).toBe(1);
  });

  test("other statuses and network errors by option", async () => {
    expect(await attempts([[500], [502], [200]], { retryOn: [500, 502] })).toBe(3);
    expect(await attempts([new TypeError("fetch failed"), [200]], { retryOn: ["network-error"] })).toBe(2);
  });

  test("Retry-After is honoured on those as well", async () => {
    const { fetch, time, waits } = scripted([[500, { "retry-after": "7" }], [200]], { retryOn: [500] });
    await time.run(fetch(URL));
    expect(waits()[0]).toBeGreaterThanOrEqual(7000);
  });

  test.each(["GET", "get", "HEAD", "OPTIONS", "PUT", "DELETE"])("%s by default", async (method) => {
    expect(await attempts([refused, [204]], {}, { method })).toBe(2);
  });

  test.each(["POST", "PATCH"])("%s only by option, and then only what was refused", async (method) => {
    expect(await attempts([refused, [200]], {}, { method })).toBe(1);
    const options = { methods: [method], retryOn: [500, 503, "network-error"] as const };
    expect(await attempts([refused, closed, [200]], options, { method })).toBe(3);
    expect(await attempts([[500], [200]], options, { method })).toBe(1);
    expect(await attempts([[503], [200]], options, { method })).toBe(1);
    expect(await attempts([new TypeError("fetch failed"), [200]], options, { method })).toBe(1);
  });

  test("a network error that is not retried, or not any more, comes through as it is", async () => {
    const failure = new TypeError("fetch failed");
    for (const retryOn of [[], ["network-error"]] as const) {
      const { fetch, time } = scripted([failure], { retryOn, maxRetries: 1 });
      await expect(time.run(fetch(URL))).rejects.toBe(failure);
    }
  });

  test("a fetch that throws at once rejects like any other", async () => {
    const fetch = createFetch({
      fetch: () => {
        throw new TypeError("no");
      },
    });
    await expect((fetch as unknown as AforoFetch)(URL)).rejects.toThrow("no");
  });
});

describe("the caller's say", () => {
  test("onRetry is told of each wait before it", async () => {
    const { fetch, time, retries } = scripted([[429, { "retry-after": "2" }], new Error("lost"), [200]], {
      retryOn: ["network-error"],
      jitter: 0,
    });
    await time.run(fetch(URL));
    expect(retries).toEqual([
      { retry: 1, url: URL, method: "GET", waitMs: 2000, source: "retry-after", status: 429, error: undefined },
      {
        retry: 2,
        url: URL,
        method: "GET",
        waitMs: expect.any(Number) as number,
        source: "backoff",
        status: undefined,
        error: new Error("lost"),
      },
    ]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("enough");
      },
    ],
    ["rejects", () => Promise.reject(new Error("enough"))],
  ])("an onRetry that %s ends the call", async (_, onRetry) => {
    const { fetch, time, requestedAt } = scripted([[429, { "retry-after": "2" }]], { onRetry });
    await expect(time.run(fetch(URL))).rejects.toThrow("enough");
    expect(requestedAt).toHaveLength(1);
  });

  test("an onGiveUp that throws ends the call, and the response is not left open", async () => {
    let drained = false;
    const body = new ReadableStream(
      { pull: (controller) => ((drained = true), controller.close()) },
      { highWaterMark: 0 },
    );
    const { fetch, time } = scripted([() => new Response(body, { status: 429 })], {
      maxRetries: 0,
      onGiveUp: () => {
        throw new Error("enough");
      },
    });
    await expect(time.run(fetch(URL))).rejects.toThrow("enough");
    expect(drained).toBe(true);
  });

  test("a first request that need not wait is sent without a question", async () => {
    let asked = 0;
    const fetch = createFetch({ fetch: async (_url: string) => new Response(), isStillUseful: () => (asked += 1) > 0 });
    await fetch(URL);
    expect(asked).toBe(0);
  });

  test("work that is no longer useful is neither waited for nor sent again", async () => {
    let asked = 0;
    const { fetch, time, requestedAt } = scripted([[429, { "retry-after": "30" }]], {
      isStillUseful: () => {
        asked += 1;
        return false;
      },
    });
    await expect(time.run(fetch(URL))).rejects.toMatchObject({ code: "ERR_AFORO_CLIENT_NOT_USEFUL" });
    expect(time.clock()).toBe(EPOCH);
    expect([requestedAt.length, asked]).toEqual([1, 1]);
  });

  test("usefulness is asked again after the wait, with the call's own arguments", async () => {
    const questions: unknown[] = [];
    const init = { headers: { a: "b" } };
    const { fetch, time, requestedAt } = scripted([[429, { "retry-after": "30" }]], {
      isStillUseful: async (question) => questions.push(question) < 2,
    });
    await expect(time.run(fetch(URL, init))).rejects.toMatchObject({ code: "ERR_AFORO_CLIENT_NOT_USEFUL" });
    expect(requestedAt).toHaveLength(1);
    expect(questions).toEqual(
      Array.from({ length: 2 }, () => ({ attempt: 2, url: URL, method: "GET", input: URL, init })),
    );
  });
});

describe("the retry budget", () => {
  test("in an outage, retries stay a share of the requests", async () => {
    const { fetch, time, requestedAt } = scripted([[503, { "retry-after": "1" }]], {
      budget: { share: 0.1, perMinute: 0 },
      pace: false,
    });
    for (let call = 0; call < 1000; call += 1) await time.run(fetch(URL));
    expect(requestedAt.length).toBeGreaterThan(1080);
    expect(requestedAt.length).toBeLessThanOrEqual(1100);
  });

  test("a quiet client may retry so many times a minute", async () => {
    const { fetch, time, requestedAt } = scripted([[503, { "retry-after": "1" }]], {
      budget: { share: 0, perMinute: 3 },
      pace: false,
      maxRetries: 10,
      jitter: 0,
    });
    await time.run(fetch(URL));
    expect(requestedAt).toHaveLength(4);
    await time.advance(60_000);
    await time.run(fetch(URL));
    expect(requestedAt).toHaveLength(8);
  });

  test("each origin has its own", async () => {
    const { fetch, time, requestedAt } = scripted([[503, { "retry-after": "1" }]], {
      budget: { share: 0, perMinute: 1 },
      pace: false,
    });
    for (const host of ["a", "b", "c"]) await time.run(fetch(`http://${host}.test/`));
    expect(requestedAt).toHaveLength(6);
  });
});
