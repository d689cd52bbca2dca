import { quota } from "../client.ts";
import type { Given } from "../given.ts";

/** What is not counted. */
export function skipStories(given: Given): void {
  const routes = ["/health", "/a"].map((path) => ({ path, handle: () => "ok" }));

  test("A45 skip may be asynchronous and is decided before anything is counted", async () => {
    const { client } = await given.app({
      limit: given.limit(1, { skip: async ({ path }) => path === "/health" }),
      routes,
    });
    for (let sent = 0; sent < 3; sent++) {
      const answer = await client.get("/health");
      expect(answer.status).toBe(200);
      expect(answer.names.filter((name) => name.includes("ratelimit"))).toEqual([]);
    }
    expect(await client.statuses(2, "/a")).toEqual([200, 429]);
  });

  test("A45 a skip that fails does not skip", async () => {
    const failing = async (): Promise<boolean> => {
      throw new Error("no answer");
    };
    const { client } = await given.app({ limit: given.limit(1, { skip: failing }), routes });
    expect(await client.statuses(2, "/health")).toEqual([200, 429]);
  });

  test("a skipped request stays skipped where the limiter is met again", async () => {
    const { client } = await given.app({
      limit: given.limit(1, { classes: { dear: 1 }, skip: ({ path }) => path.endsWith("/free") }),
      routes: [{ path: "/free", prefix: "/nested", class: "dear", again: true, handle: () => "ok" }],
    });
    expect(await client.statuses(3, "/nested/free")).toEqual([200, 200, 200]);
  });

  test("addresses on the allow list are never counted", async () => {
    const { client } = await given.app({ limit: given.limit(1, { allow: ["127.0.0.2/31"] }), routes });
    expect(await client.statuses(3, "/a", { from: "127.0.0.3" })).toEqual([200, 200, 200]);
    expect(await client.statuses(2, "/a", { from: "127.0.0.4" })).toEqual([200, 429]);
  });

  test("addresses on the deny list are refused with 403", async () => {
    const { client } = await given.app({ limit: given.limit(5, { deny: ["127.0.0.2"] }), routes });
    expect(await client.statuses(1, "/a", { from: "127.0.0.2" })).toEqual([403]);
    expect(await client.statuses(1, "/a")).toEqual([200]);
  });

  test("CORS preflights are exempt by option only", async () => {
    const preflight = { headers: { origin: "https://example.org", "access-control-request-method": "GET" } };
    const route = [{ method: "OPTIONS" as const, path: "/", handle: () => "ok" }];
    const exempt = await given.app({ limit: given.limit(1, { skipPreflight: true }), routes: route });
    for (let sent = 0; sent < 3; sent++) {
      expect((await exempt.client.send("OPTIONS", "/", preflight)).status).toBe(200);
    }
    const counted = await given.app({ limit: given.limit(1), routes: route });
    expect((await counted.client.send("OPTIONS", "/", preflight)).status).toBe(200);
    expect((await counted.client.send("OPTIONS", "/", preflight)).status).toBe(429);
  });

  test("shadow policies neither refuse nor show", async () => {
    const { client } = await given.app({
      limit: given.limit(0, {
        policies: [
          { name: "real", limit: "10/minute" },
          { name: "trial", limit: "1/minute", mode: "shadow" },
        ],
      }),
      routes,
    });
    expect(await client.statuses(3, "/a")).toEqual([200, 200, 200]);
    expect(quota(await client.get("/a")).limit).toBe(10);
  });
}
