import { join } from "node:path";
import { curl, type Curled } from "./curl.ts";
import { snippetsOf, startSnippet, type RunningSnippet } from "./readme.ts";

/**
 * Registers that the page of an adapter does what it says, as readers would try it. The pages tell the same story: a
 * quick start, a proxy, costs of routes.
 *
 * @param folder - a folder of the package from which the packages that the page imports are found.
 */
export function describeReadme(folder: string): void {
  const page = join(folder, "..", "README.md");
  const [quickStart = "", proxy = "", routes = "", ...more] = snippetsOf(page, "js");
  let running: RunningSnippet | undefined;

  const serve = async (snippet: string): Promise<string> => {
    running = await startSnippet(snippet, folder);
    return running.url;
  };

  afterEach(() => running?.stop());

  test("the quick start answers what the page says", async () => {
    const url = await serve(quickStart);
    for (let asked = 0; asked < 3; asked++) expect((await curl(url)).body).toBe("hello\n");
    const before = Date.now() / 1_000;
    const refused = await curl(url);
    const after = Date.now() / 1_000;
    const [promised = ""] = snippetsOf(page, "http");
    const [status, ...headers] = promised.trim().split("\n");
    expect(status).toBe(`HTTP/1.1 ${refused.status} Too Many Requests`);
    for (const line of headers) {
      const [name = "", value] = line.split(": ");
      expect([name, refused.headers[name.toLowerCase()]]).toEqual([name, value]);
    }
    // Both are rounded up to whole seconds, and count from the moment of the decision.
    const decided = Number(refused.headers["x-ratelimit-reset"]) - Number(refused.headers["retry-after"]);
    expect(decided).toBeGreaterThan(before - 1);
    expect(decided).toBeLessThan(after + 1);
  });

  test("behind a proxy the client is whom the proxy names", async () => {
    const url = await serve(proxy);
    const answer = await curl("--header", "X-Forwarded-For: 192.0.2.1, 203.0.113.9", url);
    expect([answer.body, answer.headers["x-ratelimit-remaining"]]).toEqual(["203.0.113.9", "99"]);
  });

  test("routes cost what they say", async () => {
    const url = await serve(routes);
    const ask = (path: string, ...args: readonly string[]): Promise<Curled> => curl(...args, `${url}${path}`);
    expect((await ask("/")).headers["x-ratelimit-remaining"]).toBe("99");
    expect((await ask("/search")).body).toBe("94 left\n");
    for (let asked = 0; asked < 5; asked++) expect((await ask("/login", "-X", "POST")).status).toBe(401);
    expect((await ask("/login", "-X", "POST")).status).toBe(429);
    expect((await ask("/healthz")).headers["x-ratelimit-limit"]).toBeUndefined();
  });

  test("every snippet of the page is tried here", () => {
    expect(more).toEqual([]);
  });
}
