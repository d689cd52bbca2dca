import { join } from "node:path";
import { curl, startProgram, type Program } from "@aforo/testkit";

let api: Program;

beforeAll(async () => {
  api = await startProgram(join(__dirname, "..", "server.js"), { PORT: "0" });
});
afterAll(() => api.stop("SIGKILL"));

test("both plugins count their own routes", async () => {
  const old = await curl(`${api.url}/old`);
  expect([old.status, old.headers["x-ratelimit-limit"], old.headers["x-ratelimit-remaining"]]).toEqual([200, "3", "2"]);
  const now = await curl(`${api.url}/new`);
  expect([now.status, now.headers["x-ratelimit-limit"], now.body]).toEqual([200, "10", "6 left\n"]);
  const newer = await curl(`${api.url}/newer`);
  expect([newer.status, newer.body]).toEqual([200, "5 left\n"]);
  expect((await curl(`${api.url}/old`)).headers["x-ratelimit-remaining"]).toBe("1");
});
