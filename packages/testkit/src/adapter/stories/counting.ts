import { ip } from "@aforo/core";
import { quota, tally } from "../client.ts";
import type { Given } from "../given.ts";

const ALGORITHMS = ["fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "gcra"] as const;

/** How much is counted, and how often. */
export function countingStories(given: Given): void {
  test.each(ALGORITHMS)("A07 a limit of 2 admits 2 (%s)", async (algorithm) => {
    const { client } = await given.simple(given.limit(2, { algorithm }));
    const answers = [];
    while (answers.length < 5) answers.push(await client.get("/"));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429, 429, 429]);
    expect(answers.map((answer) => quota(answer).remaining)).toEqual([1, 0, 0, 0, 0]);
  });

  test("A07 a limit of 2 admits 2 (leaky-bucket)", async () => {
    const { client } = await given.simple(given.limit(2, { algorithm: "leaky-bucket", delayAfter: 2 }));
    expect(await client.statuses(5, "/")).toEqual([200, 200, 429, 429, 429]);
  });

  test.each([...ALGORITHMS, "leaky-bucket"] as const)(
    "A09 a limit of 0 refuses everything, with finite headers (%s)",
    async (algorithm) => {
      const zeros = [{ limit: 0, window: "60s" }, { limit: "0/minute" }, { limit: () => 0, window: 60_000 }];
      for (const zero of zeros) {
        const { client } = await given.simple(given.limit(0, { ...zero, algorithm, headers: { draft: "draft-11" } }));
        const refused = await client.get("/");
        expect(refused.status).toBe(429);
        // Nothing is to come back, so there is no moment to come back at: Reset is now.
        expect(quota(refused)).toEqual({ limit: 0, remaining: 0, reset: 1_699_920_000 });
        expect(refused.headers["retry-after"]).toBeUndefined();
        expect(refused.headers["ratelimit"]).toBe('"default";r=0;t=0');
        expect(refused.headers["ratelimit-policy"]).toBe('"default";q=0;w=60');
      }
    },
  );

  test("A14 a limit that an asynchronous function gives shows as numbers, Retry-After on refusals only", async () => {
    const limit = async () => 3;
    const { client } = await given.simple(given.limit(0, { limit, window: "60s" }));
    const answers = [];
    while (answers.length < 4) answers.push(await client.get("/"));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => quota(answer).limit)).toEqual([3, 3, 3, 3]);
    expect(answers.map((answer) => quota(answer).remaining)).toEqual([2, 1, 0, 0]);
    expect(answers.map((answer) => answer.headers["retry-after"])).toEqual([undefined, undefined, undefined, "60"]);
  });

  test("A35 of 20 simultaneous requests a limit of 5 admits 5, the key being looked up meanwhile", async () => {
    const key = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return "somebody";
    };
    const { client } = await given.simple(given.limit(5, { key }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get("/")));
    expect(tally(answers)).toEqual({ 200: 5, 429: 15 });
  });

  test("1,000 concurrent requests of one caller admit exactly the limit", async () => {
    const { client } = await given.app(
      { limit: given.limit(137), routes: [{ path: "/", handle: () => "ok" }] },
      { keepAlive: 100 },
    );
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => client.get("/")));
    expect(tally(answers)).toEqual({ 200: 137, 429: 863 });
  }, 30_000);

  test("A37 a limiter that one request meets three times counts once", async () => {
    const { client } = await given.app({
      limit: given.limit(4, { classes: { read: 1 }, defaultClass: "read" }),
      routes: [{ path: "/thing", prefix: "/nested", class: "read", again: true, handle: () => "ok" }],
    });
    const remaining = [];
    while (remaining.length < 3) remaining.push(quota(await client.get("/nested/thing")).remaining);
    expect(remaining).toEqual([3, 2, 1]);
  });

  test("A37 two limiters count separately, each once", async () => {
    const second = given.limit(10, { name: "second" });
    const { client, limiter } = await given.simple(given.limit(20, { name: "first" }), { second });
    await client.statuses(3, "/");
    expect(quota(await client.get("/"))).toMatchObject({ limit: 10, remaining: 6 });
    const [first] = (await limiter.peek(ip.key("127.0.0.1"))).policies;
    expect(first).toMatchObject({ name: "first", remaining: 16 });
  });

  test("callers from different addresses are counted apart", async () => {
    const { client } = await given.simple(given.limit(1));
    expect(await client.statuses(2, "/", { from: "127.0.0.2" })).toEqual([200, 429]);
    expect(await client.statuses(2, "/", { from: "127.0.0.3" })).toEqual([200, 429]);
  });

  test("the window's end gives the quota back", async () => {
    const { client } = await given.simple(given.limit(1));
    expect(await client.statuses(2, "/")).toEqual([200, 429]);
    given.clock.advance(59_999);
    expect(await client.statuses(1, "/")).toEqual([429]);
    given.clock.advance(1);
    expect(await client.statuses(2, "/")).toEqual([200, 429]);
  });

  test("requests of one kept connection are counted one by one", async () => {
    const { client } = await given.app(
      { limit: given.limit(3), routes: [{ path: "/", handle: () => "ok" }] },
      { keepAlive: 1 },
    );
    expect(await client.statuses(5, "/")).toEqual([200, 200, 200, 429, 429]);
  });
}
