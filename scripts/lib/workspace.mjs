import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** Every package of the workspace: its folder (relative to the root) and its manifest. */
export function workspace() {
  const parents = ["packages", "examples", "tools"].filter((parent) => existsSync(join(root, parent)));
  const folders = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  return [...folders, "bench"]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }));
}

/** The packages that users install. */
export function publishedPackages() {
  return workspace().filter(({ manifest }) => !manifest.private);
}
