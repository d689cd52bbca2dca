import { curl } from "./curl.ts";
import { startProgram, type Program } from "./program.ts";

/** Registers what every example API does, as its reader would try it. @param file - what `npm start` runs. */
export function describeExample(file: string): void {
  let api: Program;

  beforeAll(async () => {
    api = await startProgram(file, { PORT: "0" });
  });
  afterAll(() => api.stop("SIGKILL"));

  test("routes cost what they are said to cost", async () => {
    const read = await curl(`${api.url}/`);
    expect([read.status, read.body, read.headers["x-ratelimit-remaining"]]).toEqual([200, "hello\n", "99"]);
    const search = await curl(`${api.url}/search`);
    expect([search.status, JSON.parse(search.body)]).toEqual([200, { left: 94 }]);
    const exporting = await curl("-X", "POST", `${api.url}/export`);
    expect([exporting.status, exporting.headers["x-ratelimit-remaining"]]).toEqual([202, "44"]);
  });

  test("what goes past a limit is refused, what is not limited is not", async () => {
    const refused = await curl("-X", "POST", `${api.url}/export`);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    const statuses = [];
    for (let asked = 0; asked < 6; asked++) statuses.push((await curl("-X", "POST", `${api.url}/login`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const health = await curl(`${api.url}/healthz`);
    expect([health.status, health.headers["x-ratelimit-limit"]]).toEqual([200, undefined]);
  });

  test("it ends cleanly on SIGTERM", async () => {
    expect(await api.stop()).toBe(0);
  });
}
