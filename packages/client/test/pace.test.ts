import { createFetch, type AforoFetch, type CreateFetchOptions } from "../src/index.ts";
import { LimitedApi, type HeaderStyle } from "./support/limited-api.ts";
import { scripted } from "./support/scripted.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { EPOCH, VirtualTime } from "./support/virtual-time.ts";

jest.setTimeout(30_000);

const ALGORITHMS = [
  "fixed-window",
  "sliding-window-log",
  "sliding-window-counter",
  "token-bucket",
  "gcra",
  "leaky-bucket",
] as const;
const STYLES: readonly HeaderStyle[] = ["epoch", "delta", "draft-11"];

function alone(api: LimitedApi, time: VirtualTime, options: CreateFetchOptions = {}): AforoFetch {
  const client = { ...options, fetch: api.fetch, clock: time.clock, sleep: time.sleep, random: seededRandom(1) };
  return createFetch(client);
}

describe("a client alone with its quota", () => {
  const cases = ALGORITHMS.flatMap((algorithm) => STYLES.map((style) => [algorithm, style] as const));

  test.each(cases)("%s, %s headers: thirty calls at once are slowed before the first 429", async (algorithm, style) => {
    const time = new VirtualTime();
    const api = new LimitedApi(time, { limit: "10/second", algorithm }, style, seededRandom(3));
    const fetch = alone(api, time);
    await time.run(Promise.all(Array.from({ length: 30 }, () => fetch("http://api.test/items"))));
    expect([api.admitted, api.rejected]).toEqual([30, 0]);
    expect(time.clock() - EPOCH).toBeLessThan(12_000);
  });

  test.each(ALGORITHMS)("%s: so are 150 calls under a limit per minute", async (algorithm) => {
    const time = new VirtualTime();
    const api = new LimitedApi(time, { limit: "100/minute", algorithm }, "epoch", seededRandom(3));
    const fetch = alone(api, time);
    await time.run(Promise.all(Array.from({ length: 150 }, () => fetch("http://api.test/items"))));
    expect(api.admitted).toBe(150);
    expect(api.rejected).toBeLessThanOrEqual(2);
    expect(time.clock() - EPOCH).toBeLessThan(180_000);
  });

  test("far below the limit nothing waits", async () => {
    const time = new VirtualTime();
    const api = new LimitedApi(time, { limit: "1000/second" }, "epoch", seededRandom(3));
    const fetch = alone(api, time);
    await time.run(fetch("http://api.test/items"));
    await time.run(Promise.all(Array.from({ length: 100 }, () => fetch("http://api.test/items"))));
    expect(time.clock() - EPOCH).toBeLessThan(25);
  });
});

/** A server whose answers are given by hand, for one path after the other. */
function byHand(headers: (path: string, call: number) => Record<string, string>, options: CreateFetchOptions = {}) {
  const time = new VirtualTime();
  const calls: { path: string; at: number }[] = [];
  const fetch = createFetch({
    jitter: 0,
    ...options,
    fetch: async (input: string | URL | Request) => {
      const path = (input as string).replace("http://", "");
      calls.push({ path, at: time.clock() - EPOCH });
      await time.sleep(10, new AbortController().signal);
      return new Response(null, { status: 204, headers: headers(path, calls.length) });
    },
    clock: time.clock,
    sleep: time.sleep,
    random: seededRandom(1),
  }) as AforoFetch;
  const run = (...paths: string[]): Promise<Response[]> =>
    time.run(Promise.all(paths.map((path) => fetch(`http://${path}`))));
  return {
    time,
    calls,
    fetch,
    run,
    at: (path: string): number | undefined => calls.find((call) => call.path === path)?.at,
  };
}

const exhausted = { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "5" };
const plenty = { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999", "x-ratelimit-reset": "5" };

describe("policies", () => {
  test("an exhausted quota holds the next call until its reset, on whatever path", async () => {
    const { run, at } = byHand((_, call) => (call === 1 ? exhausted : plenty));
    await run("a.test/x");
    await run("a.test/new");
    expect(at("a.test/new")).toBeGreaterThanOrEqual(5000);
  });

  test("a route known to have another policy is not held", async () => {
    const { run, at, calls } = byHand((path) => (path.includes("export") ? exhausted : plenty));
    await run("a.test/items/1");
    await run("a.test/export");
    await run("a.test/items/2");
    expect(at("a.test/items/2")).toBeLessThan(100);
    await run("a.test/export?again");
    expect(calls.at(-1)!.at).toBeGreaterThanOrEqual(5000);
  });

  test("another origin is not held", async () => {
    const { run, at } = byHand((path) => (path.startsWith("a.") ? exhausted : {}));
    await run("a.test/x");
    await run("b.test/x");
    expect(at("b.test/x")).toBeLessThan(100);
  });

  test("of several policies the slowest holds", async () => {
    const { run, calls } = byHand(() => ({
      ratelimit: '"a";r=50;t=1, "b";r=0;t=9',
      "ratelimit-policy": '"a";q=100;w=1, "b";q=10;w=9',
    }));
    await run("a.test/x");
    await run("a.test/x");
    expect(calls[1]!.at).toBeGreaterThanOrEqual(9000);
  });

  test("a reset further away than the cap holds nobody, but only one asks at a time", async () => {
    const { run, calls } = byHand(() => ({ ...exhausted, "x-ratelimit-reset": "3600" }), { maxDelayMs: 60_000 });
    await run("a.test/x");
    await run("a.test/x", "a.test/x", "a.test/x");
    expect(calls.map(({ at }) => at)).toEqual([0, 10, 20, 30]);
  });

  test("a server without limit headers slows nobody", async () => {
    const { run, calls } = byHand(() => ({}));
    await run("a.test/x");
    await run(...Array.from({ length: 50 }, () => "a.test/x"));
    expect(calls.at(-1)!.at).toBe(10);
  });

  test("pace: false waits for nothing", async () => {
    const { run, calls } = byHand(() => exhausted, { pace: false });
    await run("a.test/x", "a.test/x", "a.test/x");
    expect(calls.map(({ at }) => at)).toEqual([0, 0, 0]);
  });

  test("calls go first come, first served", async () => {
    const { run, calls } = byHand(() => ({ ...exhausted, "x-ratelimit-remaining": "1", "x-ratelimit-reset": "1" }));
    const paths = Array.from({ length: 8 }, (_, index) => `a.test/items/${index}`);
    await run(...paths);
    expect(calls.map(({ path }) => path)).toEqual(paths);
  });
});

describe("an origin's first answer", () => {
  test("is waited for by the other calls", async () => {
    const { run, calls } = byHand(() => plenty);
    await run("a.test/1", "a.test/2", "b.test/1");
    expect(calls).toEqual([
      { path: "a.test/1", at: 0 },
      { path: "b.test/1", at: 0 },
      { path: "a.test/2", at: 10 },
    ]);
  });

  test("is waited for a second at most", async () => {
    const time = new VirtualTime();
    const requestedAt: number[] = [];
    const fetch = createFetch({
      fetch: async (_input: string) => {
        requestedAt.push(time.clock() - EPOCH);
        await time.sleep(30_000, new AbortController().signal);
        return new Response();
      },
      clock: time.clock,
      sleep: time.sleep,
    });
    await time.run(Promise.all([fetch("http://a.test"), fetch("http://a.test"), fetch("http://a.test")]));
    expect(requestedAt).toEqual([0, 1000, 1000]);
  });

  test("that never comes leaves the turn to the next", async () => {
    const { fetch, time, requestedAt } = scripted([new TypeError("lost"), [200]]);
    const calls = Promise.allSettled([fetch("http://a.test"), fetch("http://a.test")]);
    expect((await time.run(calls)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(requestedAt).toEqual([0, 0]);
  });
});

describe("after a 429", () => {
  test("the other calls of the client wait too, and the refused one goes first", async () => {
    const time = new VirtualTime();
    const order: string[] = [];
    const fetch = createFetch({
      fetch: async (input: string) => {
        order.push(`${input.slice(-1)} ${time.clock() - EPOCH >= 2000 ? "after" : "before"}`);
        return order.length === 1
          ? new Response(null, { status: 429, headers: { "retry-after": "2" } })
          : new Response();
      },
      jitter: 0,
      clock: time.clock,
      sleep: time.sleep,
      random: () => 0.5,
    });
    const calls = ["1", "2", "3"].map((name) => fetch(`http://a.test/${name}`));
    await time.run(Promise.all(calls));
    expect(order).toEqual(["1 before", "1 after", "2 after", "3 after"]);
  });

  test("work that lost its use while it waited for its turn is not sent", async () => {
    let useful = true;
    const { fetch, time, calls, run } = byHand(() => exhausted, { isStillUseful: () => useful });
    await run("a.test/x");
    const call = fetch("http://a.test/x");
    useful = false;
    await expect(time.run(call)).rejects.toMatchObject({ code: "ERR_AFORO_CLIENT_NOT_USEFUL" });
    expect(calls).toHaveLength(1);
  });
});

test("thousands of routes and origins do not accumulate, and nothing sleeps when nobody waits", async () => {
  const { run, time, calls } = byHand(() => plenty);
  for (let round = 0; round < 6; round += 1) {
    await run(
      ...Array.from(
        { length: 100 },
        (_, index) => `a.test/${"abcdefghij"[index % 10]}/${String.fromCharCode(97 + round)}/x${"y".repeat(index)}`,
      ),
    );
    await run(...Array.from({ length: 100 }, (_, index) => `h${round * 100 + index}.test/`));
  }
  expect(calls).toHaveLength(1200);
  expect(time.sleeping).toBe(0);
});
