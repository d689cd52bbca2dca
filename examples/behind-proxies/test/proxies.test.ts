import { Client, earlyInTheMinute, type Sent } from "@aforo/testkit";
import { createApp } from "../app.js";
import { serve, startNginx, startVarnish, stopAll } from "./programs.ts";

afterEach(stopAll);

const ANN = { from: "127.0.0.2" } as const;
const BOB = { from: "127.0.0.3" } as const;

const PROXIES: readonly [string, number, () => Promise<number>][] = [
  ["nginx", 1, async () => startNginx(await api(1))],
  ["Varnish", 1, async () => startVarnish(await api(1))],
  ["nginx before Varnish", 2, async () => startNginx(await startVarnish(await api(2)))],
];

function api(proxies: number): Promise<number> {
  return serve(createApp(proxies));
}

describe.each(PROXIES)("behind %s, caching", (_, __, start) => {
  async function client(): Promise<Client> {
    const port = await start();
    await earlyInTheMinute();
    return new Client({ address: () => ({ port }) } as never);
  }

  test("A16 a 429 is never served to another client, and what may be cached is", async () => {
    const proxy = await client();
    for (const id of [1, 2, 3]) expect((await proxy.get(`/articles/${id}`, ANN)).status).toBe(200);
    const rejected = await proxy.get("/articles/4", ANN);
    expect([rejected.status, rejected.headers["cache-control"]]).toEqual([429, "no-store"]);
    expect(rejected.headers["retry-after"]).toMatch(/^[1-9]\d*$/);

    const fresh = await proxy.get("/articles/4", BOB);
    expect([fresh.status, fresh.body]).toEqual([200, "article 4 for everybody\n"]);
    expect(fresh.headers["x-cache"]).not.toContain("HIT");
    const cached = await proxy.get("/articles/4", ANN);
    expect([cached.status, cached.body]).toEqual([200, fresh.body]);
    expect(cached.headers["x-cache"]).toContain("HIT");
  });

  test("A25 clients are told apart, and what they write into X-Forwarded-For changes nothing", async () => {
    const proxy = await client();
    const forged = (entry: string, from: Sent): Sent => ({ ...from, headers: { "x-forwarded-for": entry } });
    expect((await proxy.get("/whoami", forged("203.0.113.9, 198.51.100.4", ANN))).body).toBe("127.0.0.2\n");
    expect(await proxy.statuses(3, "/whoami", forged("192.0.2.1", ANN))).toEqual([200, 200, 429]);
    expect(await proxy.statuses(1, "/whoami", forged("192.0.2.2", ANN))).toEqual([429]);
    expect(await proxy.statuses(1, "/whoami", forged("127.0.0.3", ANN))).toEqual([429]);
    expect(await proxy.statuses(3, "/whoami", BOB)).toEqual([200, 200, 200]);
  });
});
