import { route } from "@aforo/core";
import { quota } from "../client.ts";
import type { Given } from "../given.ts";

/** Which requests belong to a route. */
export function routeStories(given: Given): void {
  const classes = { read: 1, login: 10 };
  const login = (method: "GET" | "POST" = "GET") => ({
    limit: given.limit(100, { classes, defaultClass: "read" }),
    routes: [{ method, path: "/login", class: "login", handle: () => "handled" }],
  });

  test("A55 a query string does not dodge a route's class", async () => {
    const { client } = await given.app({
      limit: given.limit(1, { classes: { login: 1 } }),
      routes: [{ path: "/login", class: "login", handle: () => "ok" }],
    });
    const statuses = [];
    for (const path of ["/login", "/login?x=1", "/login?x=2", "/login?"])
      statuses.push((await client.get(path)).status);
    expect(statuses).toEqual([200, 429, 429, 429]);
  });

  test.each([
    "/login/",
    "/LOGIN",
    "/Login",
    "//login",
    "/%6Cogin",
    "/login#x",
    "/login;x=1",
    "/./login",
    "/x/../login",
  ])("a spelling that reaches the handler pays for it: %s", async (spelling) => {
    const { client } = await given.app(login());
    await client.get("/login");
    const answer = await client.get(spelling);
    const left = quota(await client.get("/login")).remaining;
    expect(left).toBe(answer.body === "handled" ? 70 : given.abilities.seesNotFound ? 79 : 80);
  });

  test("HEAD of a GET route counts once, as the route does", async () => {
    const { client } = await given.app(login());
    const head = await client.send("HEAD", "/login");
    expect([head.status, head.body]).toEqual([200, ""]);
    expect(quota(head).remaining).toBe(90);
    expect(quota(await client.get("/login")).remaining).toBe(80);
  });

  test("a refused HEAD has the head of the refusal and no body", async () => {
    const { client } = await given.simple(given.limit(0));
    const head = await client.send("HEAD", "/");
    expect([head.status, head.body]).toEqual([429, ""]);
    expect(quota(head)).toMatchObject({ limit: 0, remaining: 0 });
  });

  test("A38 routes under a prefix count once, however their end is spelt", async () => {
    const { client } = await given.app({
      limit: given.limit(10),
      routes: [{ method: "POST", path: "/", prefix: "/res", handle: () => "ok" }],
    });
    expect(quota(await client.post("/res")).remaining).toBe(9);
    expect(quota(await client.post("/res/")).remaining).toBe(8);
  });

  test("A39 what no route matches counts by default", async () => {
    if (!given.abilities.seesNotFound) return expect(given.abilities.seesNotFound).toBe(false);
    const { client } = await given.simple(given.limit(1));
    const first = await client.get("/nowhere/1");
    expect([first.status, quota(first).remaining]).toEqual([404, 0]);
    expect(await client.statuses(1, "/nowhere/2")).toEqual([429]);
    expect(await client.statuses(1, "/nowhere/3")).toEqual([429]);
  });

  test("A39 what no route matches need not count, where the framework knows in time", async () => {
    if (!given.abilities.knowsNotFound) return expect(given.abilities.knowsNotFound).toBe(false);
    const { client } = await given.simple(given.limit(1, { skipNotFound: true }));
    expect(await client.statuses(3, "/nowhere")).toEqual([404, 404, 404]);
    expect(await client.statuses(2, "/")).toEqual([200, 429]);
  });

  test("an unknown method counts by default too", async () => {
    if (!given.abilities.seesNotFound) return expect(given.abilities.seesNotFound).toBe(false);
    const { client } = await given.simple(given.limit(2));
    expect((await client.send("DELETE", "/")).status).toBe(404);
    expect(quota(await client.get("/")).remaining).toBe(0);
  });

  test("a route is known by its pattern, so that parameters make no new counters", async () => {
    if (!given.abilities.knowsRoute) return expect(given.abilities.knowsRoute).toBe(false);
    const { client } = await given.app({
      limit: given.limit(1, { key: route() }),
      routes: [
        { path: "/users/:id", handle: () => "ok" },
        { path: "/posts/:id", prefix: "/blog", handle: () => "ok" },
      ],
    });
    expect(await client.statuses(1, "/users/1")).toEqual([200]);
    expect(await client.statuses(1, "/users/2")).toEqual([429]);
    expect(await client.statuses(1, "/blog/posts/1")).toEqual([200]);
    expect(await client.statuses(1, "/blog/posts/2")).toEqual([429]);
  });

  test("the path is the whole path as received, wherever the limiter stands", async () => {
    const seen: string[] = [];
    const { client } = await given.app({
      limit: given.limit(10, {
        skip: ({ path }) => {
          seen.push(path);
          return false;
        },
      }),
      routes: [{ path: "/inner", prefix: "/outer", handle: () => "ok" }],
    });
    await client.get("/outer/inner?x=/other#y");
    expect(seen).toEqual(["/outer/inner"]);
  });
}
