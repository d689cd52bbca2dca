import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Runs the same benchmark on the Node that comes with this workspace, and ends with its exit code.
 * @param {string} file
 * @param {readonly string[]} options
 * @returns {never}
 */
export function runOnNewestNode(file, options) {
  const { status } = spawnSync(binary(), [file, ...options], { stdio: "inherit" });
  process.exit(status ?? 1);
}

function binary() {
  // One package for each platform, of which only that of this machine gets installed.
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return join(createRequire(import.meta.url).resolve(`${name}/package.json`), "..", "bin", "node");
  } catch {
    console.error(`The newest Node comes for Linux on x64 and arm64 only; there is no package "${name}".`);
    process.exit(2);
  }
}
