import { quota } from "../client.ts";
import type { Given } from "../given.ts";

/** What responses say. */
export function headerStories(given: Given): void {
  test("every decided response carries the three headers, once each", async () => {
    const { client } = await given.simple(given.limit(5));
    const answer = await client.get("/");
    expect(quota(answer)).toEqual({ limit: 5, remaining: 4, reset: 1_699_920_060 });
    for (const name of ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]) {
      expect(answer.names.filter((each) => each === name)).toHaveLength(1);
    }
    expect(answer.body).toBe("ok");
  });

  test("A11 Retry-After is in seconds", async () => {
    const { client } = await given.simple(given.limit(5));
    expect(await client.statuses(5, "/")).toEqual([200, 200, 200, 200, 200]);
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("60");
  });

  test("a response that raised its charge carries the headers of the last decision, once each", async () => {
    const { client } = await given.app({
      limit: given.limit(100, { classes: { read: 1, export: 50 }, defaultClass: "read" }),
      routes: [{ path: "/export", class: "export", handle: () => "ok" }],
    });
    const answer = await client.get("/export");
    expect(quota(answer).remaining).toBe(50);
    expect(answer.names.filter((name) => name.startsWith("x-ratelimit"))).toHaveLength(3);
  });

  test("a second limiter never hides a tighter answer", async () => {
    const tight = given.limit(3, { name: "tight" });
    const loose = given.limit(1_000, { name: "loose" });
    const { client } = await given.simple(tight, { second: loose });
    expect(quota(await client.get("/"))).toMatchObject({ limit: 3, remaining: 2 });
  });

  test("A15 scripts of other origins can read every header, beside those the app exposes", async () => {
    const { client } = await given.simple(given.limit(1, { headers: { expose: true, draft: "draft-11" } }), {
      before: ({ setHeader }) => setHeader("Access-Control-Expose-Headers", "ETag"),
    });
    const exposed = (value: unknown) =>
      String(value)
        .split(/,\s*/)
        .map((name) => name.toLowerCase())
        .sort();
    const emitted = [
      "ratelimit",
      "ratelimit-policy",
      "x-ratelimit-limit",
      "x-ratelimit-remaining",
      "x-ratelimit-reset",
    ];
    const origin = { headers: { origin: "https://example.org" } };
    const admitted = await client.get("/", origin);
    const names = exposed(admitted.headers["access-control-expose-headers"]);
    expect(names).toEqual(expect.arrayContaining(["etag", ...emitted]));
    expect(new Set(names).size).toBe(names.length);
    const refused = await client.get("/", origin);
    expect(refused.status).toBe(429);
    expect(exposed(refused.headers["access-control-expose-headers"])).toEqual(
      expect.arrayContaining(["etag", "retry-after", ...emitted]),
    );
    expect(refused.names.filter((name) => name === "access-control-expose-headers")).toHaveLength(1);
  });

  test("A15 without the option nothing is exposed that the app does not", async () => {
    const { client } = await given.simple(given.limit(5), {
      before: ({ setHeader }) => setHeader("Access-Control-Expose-Headers", "ETag"),
    });
    expect((await client.get("/")).headers["access-control-expose-headers"]).toBe("ETag");
  });

  test("A16 a refusal is not cacheable, whatever the route says", async () => {
    const { client } = await given.simple(given.limit(1), {
      before: ({ setHeader }) => {
        setHeader("Cache-Control", "public, max-age=300");
        setHeader("ETag", '"1"');
        setHeader("Last-Modified", "Mon, 13 Nov 2023 00:00:00 GMT");
      },
    });
    expect((await client.get("/")).headers["cache-control"]).toBe("public, max-age=300");
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ "cache-control": "no-store" });
    expect(refused.headers.etag).toBeUndefined();
    expect(refused.headers["last-modified"]).toBeUndefined();
  });

  test("headers: false leaves only Retry-After on refusals", async () => {
    const { client } = await given.simple(given.limit(1, { headers: false }));
    const admitted = await client.get("/");
    const refused = await client.get("/");
    expect(admitted.names.filter((name) => name.includes("ratelimit"))).toEqual([]);
    expect(refused.names.filter((name) => name.includes("ratelimit"))).toEqual([]);
    expect(refused.headers["retry-after"]).toBe("60");
  });
}
