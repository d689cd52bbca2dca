import { join } from "node:path";
import { curl, earlyInTheMinute, startProgram, type Program } from "@aforo/testkit";
import { startRedis, waitFor, type RedisServer } from "@aforo/testkit/redis";

jest.setTimeout(60_000);

let redis: RedisServer;
let api: Program;

beforeAll(async () => {
  redis = await startRedis();
  api = await startProgram(join(__dirname, "..", "main.js"), { PORT: "0", REDIS_URL: redis.url });
  // Until its connection is ready an instance counts for itself.
  await waitFor("both instances count in Redis", async () => {
    const clients = await redis.cli("CLIENT", "LIST");
    return clients.split("\n").length > 2;
  });
  await earlyInTheMinute();
});

afterAll(async () => {
  await api.stop("SIGTERM");
  await redis.stop();
});

test("two instances behind nginx admit one limit between them, and both answer", async () => {
  const answers = [];
  for (let asked = 0; asked < 12; asked++) answers.push(await curl(`${api.url}/`));
  expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  expect(answers.map((answer) => answer.headers["x-ratelimit-remaining"]).slice(0, 10)).toEqual(
    Array.from({ length: 10 }, (_, index) => String(9 - index)),
  );
  const processes = new Set(answers.slice(0, 10).map((answer) => answer.body));
  expect(processes.size).toBe(2);
});

test("A25 an address that the client writes itself makes no new caller", async () => {
  const forged = await curl("-H", "X-Forwarded-For: 203.0.113.9", `${api.url}/`);
  expect(forged.status).toBe(429);
});

test("a client at another address has its own quota", async () => {
  const other = await curl("--interface", "127.0.0.2", `${api.url}/`);
  expect([other.status, other.headers["x-ratelimit-remaining"]]).toEqual([200, "9"]);
});
