import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { format } from "node:util";
import { earlyInTheMinute } from "@aforo/testkit";
import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { Clients } from "../src/clients.ts";
import { missingLine } from "../src/compare.ts";
import { Listening } from "../src/listening.ts";
import { writeModule } from "../src/module.ts";
import { commandsOf, runCommand } from "../src/shell.ts";
import { snippetsOf, type Snippet } from "../src/snippets.ts";
import { Subscriptions } from "../src/subscriptions.ts";

const ROOT = join(__dirname, "..", "..", "..");
/** Shown, and checked elsewhere or by their own parsers where there is one. */
const SHOWN = ["nginx", "yaml", "vcl", "conf", "lua", "promql", "mermaid"];

let redis: RedisServer;
let listening: Listening;
let clients: Clients;
/** What the last block of code or of commands of this page printed; `undefined` before the first, where text is only text. */
let printed: string | undefined;

beforeAll(async () => {
  rmSync(join(__dirname, "..", ".snippets"), { recursive: true, force: true });
  redis = await startRedis();
  process.env["REDIS_URL"] = redis.url;
  listening = new Listening();
  clients = new Clients();
});

afterAll(async () => {
  listening.restore();
  clients.close();
  await redis.stop();
});

describe.each(documents().map((file) => [relative(ROOT, file), file]))("every snippet runs in %s", (name, file) => {
  let folder: string;
  let subscriptions: Subscriptions;

  beforeAll(async () => {
    subscriptions = new Subscriptions();
    folder = mkdtempSync(join(tmpdir(), "aforo-docs-"));
    printed = undefined;
    // Pages call their limiters alike, and what they print is that of one window.
    await redis.cli("FLUSHALL");
    await earlyInTheMinute();
  });

  afterAll(async () => {
    subscriptions.end();
    await listening.close();
    rmSync(folder, { recursive: true });
  });

  for (const snippet of snippetsOf(file)) {
    test(`line ${snippet.line}: ${snippet.language}`, () => check(name, snippet, folder));
  }
});

async function check(name: string, snippet: Snippet, folder: string): Promise<void> {
  if (snippet.file !== undefined) writeFileSync(join(folder, snippet.file), snippet.code);
  switch (snippet.language) {
    case "ts":
    case "js":
      await listening.close();
      printed = await runModule(writeModule(`${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${snippet.line}`, snippet));
      return;
    case "sh":
      printed = "";
      for (const command of commandsOf(snippet.code))
        printed += await runCommand(command, await listening.port(), folder);
      return;
    case "json":
      JSON.parse(snippet.code);
      return;
    case "text":
    case "http": {
      const missing = printed === undefined ? undefined : missingLine(snippet.code, printed);
      if (missing !== undefined) throw new Error(`not printed: ${missing}\n\nprinted was:\n${printed}`);
      return;
    }
    default:
      expect(SHOWN).toContain(snippet.language);
  }
}

async function runModule(path: string): Promise<string> {
  let output = "";
  const log = jest.spyOn(console, "log").mockImplementation((...args: unknown[]) => {
    output += `${format(...args)}\n`;
  });
  try {
    const { run } = (await import(path)) as { run: () => Promise<void> };
    await run();
    // What the snippet starts or opens is up when the next block is read.
    await listening.port();
    await clients.ready();
    return output;
  } finally {
    log.mockRestore();
  }
}

/** Examples and the other packages try out their own pages. */
function documents(): string[] {
  const packages = ["core", "nestjs"].map((name) => join(ROOT, "packages", name, "README.md"));
  const folders = [join(ROOT, "docs"), join(ROOT, "docs/migration")];
  const pages = [join(ROOT, "README.md"), ...folders.flatMap(children), ...packages];
  return pages.filter((file) => file.endsWith(".md") && snippetsOf(file).length > 0);
}

function children(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}
