import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

/** The manifest of a project that uses the packed packages with the frameworks that they are made for. */
export function consumerManifest(packages) {
  const tarballs = Object.fromEntries(packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
  const companions = packages.flatMap(({ source, manifest }) => companionsOf(source, manifest));
  return {
    name: "consumer",
    private: true,
    dependencies: { ...Object.fromEntries(companions), "@types/node": versionOf(".", "@types/node"), ...tarballs },
    // The packages name each other by version, and these versions may not be published yet.
    pnpm: { overrides: tarballs },
  };
}

/** What a package can't be used without: its peers, and their types where those come separately. */
function companionsOf(source, { peerDependencies = {}, peerDependenciesMeta = {}, devDependencies = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const names = [...peers, ...peers.map((name) => `@types/${name}`)].filter((name) => name in devDependencies);
  return names.map((name) => [name, versionOf(source, name)]);
}

/** Of a package as the workspace has it, for the project in this folder. */
export function versionOf(source, name) {
  return JSON.parse(readFileSync(join(root, source, "node_modules", name, "package.json"), "utf8")).version;
}

export function consumerTsconfig(files) {
  return {
    compilerOptions: {
      module: "NodeNext",
      target: "ES2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: ["node"],
      rootDir: ".",
      outDir: "out",
    },
    files,
  };
}
