import { quota, type Answer } from "../client.ts";
import type { Given } from "../given.ts";

/** What a request of a cost class costs. */
export function classStories(given: Given): void {
  const classes = { read: 1, search: 5, export: 50, look: 0 };

  test("a request is charged what its class costs in all, however late the class is met", async () => {
    const { client } = await given.app({
      limit: given.limit(100, { classes, defaultClass: "read" }),
      routes: [
        { path: "/", handle: () => "ok" },
        { path: "/search", class: "search", handle: () => "ok" },
        { path: "/export", class: "export", prefix: "/deep", handle: () => "ok" },
      ],
    });
    expect(quota(await client.get("/")).remaining).toBe(99);
    expect(quota(await client.get("/search")).remaining).toBe(94);
    expect(quota(await client.get("/deep/export")).remaining).toBe(44);
  });

  test("a class that does not fit is refused, and what the request was charged before is given back", async () => {
    const { client } = await given.app({
      limit: given.limit(60, { classes, defaultClass: "read" }),
      routes: [
        { path: "/", handle: () => "ok" },
        { path: "/export", class: "export", handle: () => "ok" },
      ],
    });
    await client.statuses(11, "/");
    const refused = await client.get("/export");
    expect(refused.status).toBe(429);
    expect(quota(refused)).toMatchObject({ limit: 60, remaining: 49 });
    expect(quota(await client.get("/")).remaining).toBe(48);
  });

  test("a class of cost 0 looks at what is left", async () => {
    const { client } = await given.app({
      limit: given.limit(3, { classes: { look: 0 }, defaultClass: "look" }),
      routes: [{ path: "/", handle: () => "ok" }],
    });
    expect(quota(await client.get("/")).remaining).toBe(3);
    expect(quota(await client.get("/")).remaining).toBe(3);
  });

  test("A54 routes of one class share its counter", async () => {
    const otp = { cost: 1, policies: [{ name: "otp", algorithm: "fixed-window" as const, limit: "3/minute" }] };
    const { client } = await given.app({
      limit: given.limit(100, { classes: { otp } }),
      routes: [
        { path: "/otp/send", class: "otp", handle: () => "ok" },
        { path: "/otp/resend", class: "otp", handle: () => "ok" },
        { path: "/", handle: () => "ok" },
      ],
    });
    const answers: Answer[] = [];
    for (const path of [
      "/otp/send",
      "/otp/send",
      "/otp/send",
      "/otp/resend",
      "/otp/resend",
      "/otp/resend",
      "/otp/send",
    ]) {
      answers.push(await client.get(path));
    }
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429, 429, 429, 429]);
    expect(answers.slice(0, 3).map((answer) => quota(answer).remaining)).toEqual([2, 1, 0]);
    expect((await client.get("/")).status).toBe(200);
  });

  test("A54 without a shared class routes count independently", async () => {
    const own = (name: string) => ({ policies: [{ name, algorithm: "fixed-window" as const, limit: "3/minute" }] });
    const { client } = await given.app({
      limit: given.limit(100, { classes: { send: own("send"), resend: own("resend") } }),
      routes: [
        { path: "/otp/send", class: "send", handle: () => "ok" },
        { path: "/otp/resend", class: "resend", handle: () => "ok" },
      ],
    });
    expect(await client.statuses(4, "/otp/send")).toEqual([200, 200, 200, 429]);
    expect(await client.statuses(4, "/otp/resend")).toEqual([200, 200, 200, 429]);
  });

  test("a class's own policy denies without eating the quota of the others", async () => {
    const login = { policies: [{ name: "login", algorithm: "fixed-window" as const, limit: "1/minute" }] };
    const { client } = await given.app({
      limit: given.limit(10, { classes: { login } }),
      routes: [
        { method: "POST", path: "/login", class: "login", handle: () => "ok" },
        { path: "/", handle: () => "ok" },
      ],
    });
    expect(await client.statuses(3, "/login", { method: "POST" })).toEqual([200, 429, 429]);
    expect(quota(await client.get("/")).remaining).toBe(8);
  });

  test("classify names the class where the route names none", async () => {
    const { client } = await given.simple(
      given.limit(100, { classes, classify: (request) => (request.header("x-bulk") === "yes" ? "export" : undefined) }),
    );
    expect(quota(await client.get("/", { headers: { "x-bulk": "yes" } })).remaining).toBe(50);
    expect(quota(await client.get("/")).remaining).toBe(49);
  });

  test("a cost that can never fit is refused for good", async () => {
    const { client } = await given.simple(given.limit(10, { cost: () => 11 }));
    const refused = await client.get("/");
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBeUndefined();
    expect(quota(refused).remaining).toBe(10);
  });
}
