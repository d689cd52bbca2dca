import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStore, rateLimit, type HeaderOptions } from "@aforo/express";
import express from "express";
import { createFetch, readQuotas, type AforoFetch } from "../src/index.ts";
import { seededRandom } from "./support/seeded-random.ts";
import { EPOCH } from "./support/virtual-time.ts";

jest.setTimeout(60_000);

const ALGORITHMS = [
  "fixed-window",
  "sliding-window-log",
  "sliding-window-counter",
  "token-bucket",
  "gcra",
  "leaky-bucket",
] as const;

/** A real server and a client over real sockets, whose waits move one common clock instead of taking time. */
interface Pair {
  readonly url: string;
  readonly wait: (ms: number) => void;
  readonly fetch: AforoFetch;
  readonly close: () => Promise<void>;
}

async function pair(limit: express.RequestHandler, clock: { now: number }): Promise<Pair> {
  const app = express();
  app.use(limit);
  app.get("/{*path}", (_request, response) => void response.send("done"));
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    wait: (ms) => (clock.now += ms),
    fetch: createFetch({
      pace: false,
      jitter: 0,
      baseDelayMs: 1,
      maxDelayMs: 7_200_000,
      deadlineMs: Infinity,
      clock: () => clock.now,
      sleep: async (ms) => void (clock.now += ms),
    }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe.each(ALGORITHMS)("%s", (algorithm) => {
  test.each(["3/second", "7 per 10s", "20/minute", "5/hour"])(
    "%s: every rejection's Retry-After, obeyed, succeeds",
    async (limit) => {
      const clock = { now: EPOCH + 12_345 };
      const policy = { name: "p", algorithm, limit, ...(algorithm === "leaky-bucket" ? { delayAfter: 1000 } : {}) };
      const { url, wait, fetch, close } = await pair(
        rateLimit<"one" | "two">({
          name: "api",
          store: memoryStore({ clock: () => clock.now }),
          policies: [policy],
          classes: { one: 1, two: 2 },
          classify: (request) => (request.path === "/two" ? "two" : "one"),
        }),
        clock,
      );
      const random = seededRandom(5);
      let rejections = 0;
      try {
        while (rejections < 12) {
          const path = random() < 0.3 ? "two" : "one";
          const response = await fetch(url + path);
          expect([response.status, await response.text()]).toEqual([200, "done"]);
          const { attempts } = fetch.outcome(response)!;
          expect(attempts).toBeLessThanOrEqual(2);
          rejections += attempts - 1;
          wait(Math.floor(random() * random() * 400));
        }
      } finally {
        await close();
      }
    },
  );
});

test.each<[string, HeaderOptions]>([
  ["epoch", {}],
  ["delta", { reset: "delta" }],
  ["draft-6", { draft: "draft-6" }],
  ["draft-7", { draft: "draft-7" }],
  ["draft-11", { draft: "draft-11" }],
])("the client reads what the server writes: %s", async (_, headers) => {
  const { url, fetch, close } = await pair(rateLimit({ limit: "10/minute", headers }), { now: Date.now() });
  try {
    const quotas = readQuotas((await fetch(url)).headers);
    expect(quotas).toHaveLength(1);
    expect(quotas[0]).toMatchObject({ limit: 10, remaining: 9 });
    // Two minutes at the most; the Date beside it may be of a moment before the machine stood still.
    expect(quotas[0]!.resetMs! > 0 && quotas[0]!.resetMs! <= 130_000).toBe(true);
  } finally {
    await close();
  }
});

test("Retry-After as a date, obeyed in real time, succeeds", async () => {
  const { url, close } = await pair(
    rateLimit({ limit: "1 per 5s", algorithm: "gcra", headers: { retryAfter: "http-date" } }),
    {
      now: 0,
    },
  );
  const fetch = createFetch({ pace: false, jitter: 0 });
  try {
    await (await fetch(url)).text();
    const response = await fetch(url);
    expect([response.status, fetch.outcome(response)?.attempts]).toEqual([200, 2]);
  } finally {
    await close();
  }
});

test("what can never be admitted is not tried again", async () => {
  const limit = rateLimit({
    policies: [{ name: "plan", limit: () => "2/second" }],
    classes: { dear: 5 },
    defaultClass: "dear",
  });
  const { url, fetch, close } = await pair(limit, { now: 0 });
  try {
    const response = await fetch(url);
    expect([response.status, fetch.outcome(response)?.gaveUp]).toEqual([429, "never-admissible"]);
    expect(((await response.json()) as { type: string }).type).toMatch(/cost-above-limit$/);
  } finally {
    await close();
  }
});
