// Gets a clone ready on a machine that has only Node and npm: fetches the pinned pnpm into .cache, then installs the
// workspace exactly as the lockfile says. Both are quick when there is nothing to do.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { environment, must, pnpmHome, pnpmVersion, root } from "./lib/run.mjs";

export async function bootstrap() {
  if (!existsSync(join(root, "node_modules", ".modules.yaml"))) console.log("First run: installing dependencies ...");
  await fetchPnpm();
  // Neither a NODE_ENV of production nor another pnpm's leftovers may decide what gets installed.
  const { NODE_ENV: _, ...env } = environment();
  const args = ["install", "--frozen-lockfile", "--prod=false", "--config.confirmModulesPurge=false"];
  await must("pnpm", args, { env, quiet: true });
}

async function fetchPnpm() {
  if (existsSync(join(pnpmHome, "node_modules", ".bin", "pnpm"))) return;
  // Renamed when complete, so that an interrupted download is never taken for a tool.
  const unfinished = `${pnpmHome}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const flags = ["--no-save", "--no-audit", "--no-fund", "--no-package-lock", "--global=false", "--ignore-scripts"];
  await must("npm", ["install", "--prefix", unfinished, ...flags, `pnpm@${pnpmVersion}`], {
    cwd: unfinished,
    quiet: true,
  });
  rmSync(pnpmHome, { recursive: true, force: true });
  renameSync(unfinished, pnpmHome);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? root).href) await bootstrap();
