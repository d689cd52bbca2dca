import { join } from "node:path";
import { curl, earlyInTheMinute, startProgram, type Program } from "@aforo/testkit";
import { startRedis, waitFor } from "@aforo/testkit/redis";

const SERVER = join(__dirname, "..", "server.js");

jest.setTimeout(60_000);

const json = (account: string): string[] => [
  "--header",
  "Content-Type: application/json",
  "--data",
  JSON.stringify({ account }),
];

/** Comes from an address of its own, so that tests don't use up each other's quota. */
const from = (address: string): string[] => ["--interface", address];

describe("the example API", () => {
  let api: Program;

  beforeAll(async () => {
    api = await startProgram(SERVER, { PORT: "0" });
  });
  afterAll(() => api.stop("SIGKILL"));
  beforeEach(earlyInTheMinute);

  test("says what it costs to ask, in units and in headers", async () => {
    const read = await curl(...from("127.0.0.2"), `${api.url}/`);
    expect([read.status, read.body]).toEqual([200, "hello\n"]);
    expect(read.headers).toMatchObject({ "x-ratelimit-limit": "100", "x-ratelimit-remaining": "99" });
    expect(Number(read.headers["x-ratelimit-reset"])).toBeGreaterThan(Date.now() / 1_000);
    const search = await curl(...from("127.0.0.2"), `${api.url}/search?q=tea`);
    expect([search.status, JSON.parse(search.body)]).toEqual([200, { query: "tea", left: 94 }]);
  });

  test("refuses what goes past the limit, with an exact wait", async () => {
    for (let asked = 0; asked < 20; asked++) expect((await curl(`${api.url}/search`)).status).toBe(200);
    const refused = await curl(`${api.url}/search`);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expect(refused.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(JSON.parse(refused.body)).toMatchObject({ status: 429, "violated-policies": ["caller"] });
    expect((await curl(`${api.url}/healthz`)).status).toBe(200);
    expect((await curl("-H", "X-Api-Key: key-of-ann", `${api.url}/`)).headers["x-ratelimit-remaining"]).toBe("99");
    expect((await curl("-H", "X-Api-Key: made-up", `${api.url}/search`)).status).toBe(429);
  });

  test("admits two exports at once", async () => {
    const asked = [...from("127.0.0.3"), "-X", "POST", `${api.url}/export`];
    expect((await curl(...asked)).status).toBe(202);
    expect((await curl(...asked)).status).toBe(202);
    expect((await curl(...asked)).status).toBe(429);
  });

  test("counts logins by account and by network, each on its own", async () => {
    const statuses = [];
    for (let asked = 0; asked < 6; asked++)
      statuses.push((await curl(...from("127.0.0.4"), ...json("ann"), `${api.url}/login`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await curl(...from("127.0.0.4"), ...json("bob"), `${api.url}/login`)).status).toBe(401);
  });

  test("prints how to try each route", () => {
    for (const path of ["/", "/search", "/export", "/login", "/healthz"])
      expect(api.output()).toContain(`${api.url}${path}`);
  });
});

test.each(["SIGINT", "SIGTERM"] as const)("the example API ends cleanly on %s", async (signal) => {
  const api = await startProgram(SERVER, { PORT: "0" });
  await curl(`${api.url}/`);
  expect(await api.stop(signal)).toBe(0);
  expect(api.output()).toMatch(/stopped\n$/);
});

test("two instances of the example API count together in Redis", async () => {
  const redis = await startRedis();
  const apis = await Promise.all([1, 2].map(() => startProgram(SERVER, { PORT: "0", REDIS_URL: redis.url })));
  try {
    // Until its connection is ready an instance counts for itself.
    await waitFor(
      "both instances count in Redis",
      async () => (await redis.cli("CLIENT", "LIST")).split("\n").length > 2,
    );
    await earlyInTheMinute();
    const remaining = [];
    for (const { url } of [...apis, ...apis]) remaining.push((await curl(`${url}/`)).headers["x-ratelimit-remaining"]);
    expect(remaining).toEqual(["99", "98", "97", "96"]);
    for (const api of apis) expect(await api.stop()).toBe(0);
  } finally {
    for (const api of apis) await api.stop("SIGKILL");
    await redis.stop();
  }
});
