import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Snippet } from "./snippets.ts";

const FOLDER = join(__dirname, "..", ".snippets");
const IMPORT = /^import [\s\S]*?;$\n?/gm;

/**
 * Writes a snippet as a module that exports what to run, and gives its path. Its imports stand at the top;
 * the rest runs in an asynchronous function, since Jest's CommonJS knows no await at the top.
 */
export function writeModule(name: string, { language, code, before, after }: Snippet): string {
  const text = `${before}\n${patient(code)}\n${after}`;
  const imports = text.match(IMPORT) ?? [];
  const body = text.replaceAll(IMPORT, "").replaceAll(/^export /gm, "");
  const path = join(FOLDER, `${name}.${language === "js" ? "js" : "ts"}`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, `${imports.join("\n")}\nexport async function run() {\n${body}\n}\n`);
  return path;
}

/** A busy machine is no outage: unless a snippet says how long to wait for Redis, it waits. */
function patient(code: string): string {
  return code.includes("storeTimeoutMs") ? code : code.replaceAll("store: redisStore(", "storeTimeoutMs: 30_000, $&");
}
