import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of a package as it is installed for this workspace. */
export function versionOf(name: string, from: string = process.cwd()): string {
  for (const folder of [from, join(from, "tools", "compare")]) {
    const file = join(folder, "node_modules", name, "package.json");
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  }
  throw new Error(`${name} is not installed`);
}
