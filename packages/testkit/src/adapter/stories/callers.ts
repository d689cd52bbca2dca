import { allOf, firstOf, ip, user } from "@aforo/core";
import { quota, type Sent } from "../client.ts";
import type { Given } from "../given.ts";

const forwarded = (addresses: string): Sent => ({ headers: { "x-forwarded-for": addresses } });

/** Who is counted. */
export function callerStories(given: Given): void {
  test("A25 behind one proxy the caller is who the proxy names, not what the caller writes", async () => {
    const { client } = await given.simple(given.limit(1), { oneProxy: true });
    expect(await client.statuses(1, "/", forwarded("192.0.2.1, 203.0.113.9"))).toEqual([200]);
    expect(await client.statuses(1, "/", forwarded("192.0.2.2, 203.0.113.9"))).toEqual([429]);
    expect(await client.statuses(1, "/", forwarded("203.0.113.9, 198.51.100.4"))).toEqual([200]);
  });

  test("A25 without a proxy X-Forwarded-For is ignored", async () => {
    const { client } = await given.simple(given.limit(1));
    expect(await client.statuses(1, "/", forwarded("192.0.2.1, 203.0.113.9"))).toEqual([200]);
    expect(await client.statuses(1, "/", forwarded("192.0.2.2, 203.0.113.9"))).toEqual([429]);
    expect(await client.statuses(1, "/", forwarded("203.0.113.9, 198.51.100.4"))).toEqual([429]);
  });

  test("A26 a port is no part of an address", async () => {
    const { client } = await given.simple(given.limit(1), { oneProxy: true });
    expect(await client.statuses(1, "/", forwarded("203.0.113.9:51111"))).toEqual([200]);
    expect(await client.statuses(1, "/", forwarded("203.0.113.9:51112"))).toEqual([429]);
    expect(await client.statuses(1, "/", forwarded("[2001:db8:1:2::5]:443"))).toEqual([200]);
    expect(await client.statuses(1, "/", forwarded("2001:db8:1:2::5"))).toEqual([429]);
  });

  test("A27 on a unix socket, without any address, all callers are counted together", async () => {
    const { client, limiter } = await given.app(
      { limit: given.limit(2), routes: [{ path: "/", handle: () => "ok" }] },
      { unix: true },
    );
    expect(await client.statuses(4, "/")).toEqual([200, 200, 429, 429]);
    const [policy] = (await limiter.peek("ip:unknown")).policies;
    expect(policy?.remaining).toBe(0);
  });

  test("A27 a client that left before the limiter ran gets nothing written", async () => {
    let entered = (): void => {};
    let proceed = (): void => {};
    const arrived = new Promise<void>((resolve) => (entered = resolve));
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    const { client } = await given.simple(given.limit(5), {
      before: async ({ request }) => {
        if (request.headers["x-leaves"] !== "yes") return;
        entered();
        await gate;
      },
    });
    const leaving = client.start("/", { headers: { "x-leaves": "yes" } });
    await arrived;
    leaving.leave();
    await new Promise((resolve) => setTimeout(resolve, 20));
    proceed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await client.get("/")).status).toBe(200);
  });

  test("the authenticated user is counted before the address", async () => {
    const { client } = await given.simple(given.limit(1), {
      before: ({ request, setUser }) => {
        const id = request.headers["x-user"];
        if (typeof id === "string") setUser({ id });
      },
    });
    const as = (id: string): Sent => ({ headers: { "x-user": id } });
    expect(await client.statuses(2, "/", as("ann"))).toEqual([200, 429]);
    expect(await client.statuses(2, "/", as("bob"))).toEqual([200, 429]);
    expect(await client.statuses(2, "/")).toEqual([200, 429]);
    expect(await client.statuses(1, "/", { ...as("ann"), from: "127.0.0.2" })).toEqual([429]);
  });

  test("a key made of user and address keeps both apart", async () => {
    const { client } = await given.simple(
      given.limit(1, {
        key: firstOf(
          allOf(
            user((request) => request.header("x-user")),
            ip(),
          ),
          ip(),
        ),
      }),
    );
    const as = (id: string, from: string): Sent => ({ headers: { "x-user": id }, from });
    expect(await client.statuses(2, "/", as("ann", "127.0.0.2"))).toEqual([200, 429]);
    expect(await client.statuses(2, "/", as("ann", "127.0.0.3"))).toEqual([200, 429]);
  });

  test("the limiter can forget and block callers by hand", async () => {
    const { client, limiter } = await given.simple(given.limit(1));
    expect(await client.statuses(2, "/")).toEqual([200, 429]);
    await limiter.reset(ip.key("127.0.0.1"));
    expect(await client.statuses(1, "/")).toEqual([200]);
    await limiter.block(ip.key("127.0.0.2"), 5_000);
    const blocked = await client.get("/", { from: "127.0.0.2" });
    expect([blocked.status, blocked.headers["retry-after"]]).toEqual([429, "5"]);
    expect(quota(blocked).limit).toBe(1);
  });
}
