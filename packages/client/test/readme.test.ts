import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as client from "../src/index.ts";
import { listen, type RunningServer } from "./support/http-server.ts";

const readme = readFileSync(join(__dirname, "..", "README.md"), "utf8");
const snippets = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]!);

let server: RunningServer;
let logged: string[];

beforeAll(async () => {
  server = await listen((_request, response) => {
    response.writeHead(429, { "Retry-After": "3600" }).end("later");
  });
});
afterAll(() => server.close());
beforeEach(() => {
  logged = [];
});

/** Runs a snippet as it stands, its import taken from the sources, and gives what `result` evaluates to behind it. */
async function run(snippet: string, result: string): Promise<unknown> {
  const body = snippet.replace(/^import (\{.*\}) from "@aforo\/client";$/m, "const $1 = client;");
  const lines = body.split("\n").map((line) => line.replace(/\s*\/\/.*$/, ""));
  const { createFetch } = client;
  // The import is missing where an earlier snippet has it.
  const source = `return (async () => { ${lines.join("\n")}\n return ${result}; })()`;
  const names = body.includes("= client;") ? ["client", "url", "console"] : ["createFetch", "url", "console"];
  const values = [
    names[0] === "client" ? client : createFetch,
    server.url,
    { log: (line: string) => logged.push(line) },
  ];
  // oxlint-disable-next-line typescript/no-implied-eval
  return (new Function(...names, source) as (...values: unknown[]) => Promise<unknown>)(...values);
}

test("the quick start prints what the page says it prints", async () => {
  await run(snippets[0]!, "undefined");
  const promised = /this prints\n\n```\n(.*?)\n```/s.exec(readme)?.[1];
  expect(logged).toEqual([promised]);
});

test("the options snippet makes a client", async () => {
  const fetch = await run(snippets[1]!, "apiFetch");
  expect(fetch).toBeInstanceOf(Function);
});

test("every parser line gives what its comment says", async () => {
  const lines = snippets[2]!.split("\n").filter((line) => line.includes("; // "));
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const [expression, comment] = line.split("; // ");
    const value = await run(snippets[2]!.split("\n")[0]!, expression!);
    expect(value).toBe(Number(/^\d+/.exec(comment!)![0]));
  }
  expect(snippets).toHaveLength(3);
});

test("the options table names every option, with its default", () => {
  const section = /^## Options\n(.*?)^## /ms.exec(readme)![1]!;
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const source = readFileSync(join(__dirname, "..", "src", "options.ts"), "utf8");
  const declared = /interface CreateFetchOptions.*?\n\}/s.exec(source)![0];
  const options = [...declared.matchAll(/readonly (\w+)\?:/g)].map((match) => match[1]);
  expect(rows.flatMap((cells) => [...cells[1]!.matchAll(/\w+/g)].map(([name]) => name))).toEqual(options);
  for (const [, option, value] of rows) {
    if (!/^[\d,.]+$/.test(value!)) continue;
    const before = declared.split(`readonly ${option!.replaceAll("`", "")}?:`)[0]!;
    const documented = [...before.matchAll(/@defaultValue `([\d_.]+)`/g)].at(-1)?.[1];
    expect([option, documented?.replaceAll("_", "")]).toEqual([option, value!.replaceAll(",", "")]);
  }
});
