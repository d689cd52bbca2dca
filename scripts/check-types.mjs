// Type-checks every package, its tests included, against the sources of the others.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./lib/run.mjs";
import { workspace } from "./lib/workspace.mjs";

const folders = workspace().map(({ folder }) => folder);
for (const folder of folders.filter((folder) => existsSync(join(root, folder, "tsconfig.json")))) {
  const { code } = await run("tsc", ["--noEmit", "-p", folder]);
  if (code !== 0) process.exitCode = 1;
}
