import { tally } from "../client.ts";
import { undisturbed } from "../../undisturbed.ts";
import type { Given } from "../given.ts";

/** How a leaky bucket holds requests back. Releases follow real timers, so these stories take real milliseconds. */
export function delayStories(given: Given): void {
  const leaky = (limit: string, burst: number, more: object = {}) =>
    given.limit(0, { limit, algorithm: "leaky-bucket", burst, ...more });

  test("requests that come at once are released one by one, in order", async () => {
    const served: string[] = [];
    const { client } = await given.app({
      limit: leaky("20/second", 4),
      routes: [{ path: "/:n", handle: ({ request }) => `${served.push(request.url as string)}` }],
    });
    const begin = performance.now();
    const answers = [];
    for (const n of [1, 2, 3, 4]) {
      answers.push(client.get(`/${n}`));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(served).toEqual(["/1", "/2", "/3", "/4"]);
    // The clock of the store stands still, so the fourth waits for three at 50 ms each.
    expect(performance.now() - begin).toBeGreaterThanOrEqual(149);
  });

  test("what the bucket has no room for is refused at once", async () => {
    const { client } = await given.simple(leaky("20/second", 2));
    const answers = await Promise.all([client.get("/"), client.get("/"), client.get("/")]);
    expect(tally(answers)).toEqual({ 200: 2, 429: 1 });
  });

  test("a client that leaves while it is held back never reaches the handler", async () => {
    // Held up, it might leave only when its turn has come.
    const handled = await undisturbed(300, async () => {
      let count = 0;
      const { client } = await given.app({
        limit: leaky("2/second", 3),
        routes: [{ path: "/", handle: () => `${++count}` }],
      });
      await client.get("/");
      const leaving = client.start("/");
      await new Promise((resolve) => setTimeout(resolve, 20));
      leaving.leave();
      await new Promise((resolve) => setTimeout(resolve, 600));
      return count;
    });
    expect(handled).toBe(1);
  });

  test("no more requests are held back than maxDelayed says", async () => {
    const { client, limiter } = await given.simple(leaky("1/minute", 10, { maxDelayed: 1, maxDelayMs: 600_000 }));
    const asked = Array.from({ length: 4 }, () => client.get("/"));
    let answered = 0;
    // One is held back for a minute, or until the limiter closes: once the three others have their answers.
    const others = new Promise<void>((resolve) => {
      for (const answer of asked) void answer.then(() => ++answered === 3 && resolve());
    });
    await others;
    await limiter.close();
    expect(tally(await Promise.all(asked))).toEqual({ 200: 2, 503: 2 });
  });

  test("a request that would be held back for longer than maxDelayMs is refused", async () => {
    const { client } = await given.simple(leaky("2/second", 10, { maxDelayMs: 600 }));
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.get("/")));
    expect(tally(answers)).toEqual({ 200: 2, 429: 2 });
  });
}
