import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { must, root } from "./run.mjs";
import { publishedPackages } from "./workspace.mjs";

/** Packs every published package as it would go to users; answers each with the path of its tarball. */
export async function packAll(name) {
  const folder = join(root, ".cache", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packages = publishedPackages();
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  await must("pnpm", ["--recursive", ...filters, "pack", "--pack-destination", folder], { quiet: true });
  return packages.map(({ folder: source, manifest }) => ({
    source,
    manifest,
    tarball: join(folder, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`),
  }));
}
