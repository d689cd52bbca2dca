// Installs the packed packages into a fresh folder, as a user would, and loads every entry point from CommonJS, from an
// ES module and from TypeScript of both kinds. Links of the workspace hide missing files; this doesn't.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { consumerManifest, consumerTsconfig } from "./lib/consumer.mjs";
import { packAll } from "./lib/pack.mjs";
import { must, run } from "./lib/run.mjs";

const packages = await packAll("tarballs");
const entryPoints = packages.flatMap(({ manifest }) =>
  Object.keys(manifest.exports)
    .filter((path) => path !== "./package.json")
    .map((path) => manifest.name + path.slice(1)),
);

// Outside the repository, where nothing of its node_modules can be found by accident.
const consumer = mkdtempSync(join(tmpdir(), "aforo-consumer-"));
process.on("exit", () => rmSync(consumer, { recursive: true, force: true }));

const required = program((name, local) => `const ${local} = require("${name}");`);
const requiredTyped = program((name, local) => `import ${local} = require("${name}");`);
const imported = program((name, local) => `import * as ${local} from "${name}";`);
write("package.json", JSON.stringify(consumerManifest(packages)));
write("tsconfig.json", JSON.stringify(consumerTsconfig(["load.cts", "load.mts"])));
write("load.cjs", required);
write("load.mjs", imported);
write("load.cts", requiredTyped);
write("load.mts", imported);

const install = ["install", "--ignore-workspace", "--prefer-offline", "--no-frozen-lockfile"];
await must("pnpm", install, { cwd: consumer, quiet: true });
await must("tsc", ["-p", consumer], { cwd: consumer, quiet: true });

const programs = ["load.cjs", "load.mjs", "out/load.cjs", "out/load.mjs"];
const found = await Promise.all(programs.map((file) => run(process.execPath, [file], { cwd: consumer, quiet: true })));
for (const [index, { code, output }] of found.entries()) {
  if (code === 0 && output === found[0].output) continue;
  console.log(`${programs[index]} (exit code ${code}) found other exports than ${programs[0]}:\n${output}`);
  process.exitCode = 1;
}
console.log(found[0].output);

/** A program that prints what each entry point exports. */
function program(load) {
  const loads = entryPoints.map((name, index) => load(name, `e${index}`));
  const prints = entryPoints.map((name, index) => `console.log("${name}:", Object.keys(e${index}).sort().join(" "));`);
  return [...loads, ...prints, ""].join("\n");
}

function write(file, text) {
  writeFileSync(join(consumer, file), text);
}
