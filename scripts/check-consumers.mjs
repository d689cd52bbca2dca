// Installs the packed packages into fresh projects of the kinds that users have, compiles a program in each as an ES
// module and as CommonJS, and runs it on every Node that is supported.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { versionOf } from "./lib/consumer.mjs";
import { consumers, nodes, strict } from "./lib/consumers.mjs";
import { newcomersWay } from "./lib/newcomer.mjs";
import { packAll } from "./lib/pack.mjs";
import { must, root, run } from "./lib/run.mjs";

const packages = await packAll("consumers");
const tarballs = Object.fromEntries(packages.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]));
const typescript5 = join(root, "tools/consumers/node_modules/typescript5/bin/tsc");
const programs = join(root, "tools/consumers/programs");

// Outside the repository, where nothing of its node_modules can be found by accident.
const home = mkdtempSync(join(tmpdir(), "aforo-consumers-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

const newcomer = {
  name: "newcomer",
  ours: ["@aforo/express"],
  theirs: { express: versionOf("packages/express", "express"), ioredis: versionOf("packages/core", "ioredis") },
};
for (const consumer of consumers) prepare(consumer);
writeManifest(newcomer);
await inTurns([...consumers, newcomer], install);
await inTurns(consumers, compile);
const runs = consumers.flatMap(({ name }) =>
  nodes().flatMap((node) => ["esm", "cjs"].map((kind) => ({ name, node, kind }))),
);
await inTurns(runs, start);
checkWhatIsPulledIn();
const lost = await newcomersWay(join(home, "newcomer"));
if (lost !== undefined) fail(`a newcomer would not get far:\n${lost}`);
if (process.exitCode !== 1) {
  const versions = await Promise.all(nodes().map((node) => run(node, ["--version"], { quiet: true })));
  const ran = versions.map(({ output }) => output.trim()).join(", ");
  console.log(
    `A58 ${consumers.length} kinds of projects as ES modules and CommonJS, compiled by two compilers, run on Node ${ran}`,
  );
}

function writeManifest({ name, ours, theirs }) {
  const dependencies = {
    ...theirs,
    ...Object.fromEntries(ours.map((each) => [each, tarballs[each]])),
    "@types/node": versionOf(".", "@types/node"),
  };
  // The packages name each other by version, and these versions may not be published yet.
  write(name, "package.json", { name, private: true, dependencies, pnpm: { overrides: tarballs } });
}

function prepare(consumer) {
  const { name, program } = consumer;
  writeManifest(consumer);
  for (const [kind, type] of [
    ["esm", "module"],
    ["cjs", "commonjs"],
  ]) {
    for (const place of [kind, `out/${kind}`]) write(name, `${place}/package.json`, { type });
    copyFileSync(join(programs, "story.ts"), join(home, name, kind, "story.ts"));
    copyFileSync(join(programs, `${program}.ts`), join(home, name, kind, "app.ts"));
  }
  const configure = (file, options, files) => write(name, file, { compilerOptions: { ...strict, ...options }, files });
  const both = ["esm/app.ts", "cjs/app.ts"];
  configure("tsconfig.json", { module: "NodeNext", rootDir: ".", outDir: "out" }, both);
  configure("tsconfig.node16.json", { module: "NodeNext", noEmit: true }, both);
  configure("tsconfig.bundler.json", { module: "ESNext", moduleResolution: "Bundler", noEmit: true }, ["esm/app.ts"]);
}

async function install({ name }) {
  const options = ["install", "--ignore-workspace", "--prefer-offline", "--no-frozen-lockfile", "--ignore-scripts"];
  await must("pnpm", options, { cwd: join(home, name), quiet: true });
}

async function compile({ name }) {
  const cwd = join(home, name);
  await expect(`${name}, nodenext`, "tsc", ["-p", "tsconfig.json"], cwd);
  await expect(`${name}, bundler`, "tsc", ["-p", "tsconfig.bundler.json"], cwd);
  await expect(`${name}, nodenext, TypeScript 5`, process.execPath, [typescript5, "-p", "tsconfig.node16.json"], cwd);
}

function start({ name, node, kind }) {
  return expect(`${name}, ${kind}, ${node}`, node, [`out/${kind}/app.js`], join(home, name));
}

/** Nobody gets a framework or a client for Redis that he did not ask for. */
function checkWhatIsPulledIn() {
  const found = readdirSync(join(home, "none", "node_modules/.pnpm")).filter(
    (name) => name.includes("@") && !/^(@aforo\+|@types\+node@|undici-types@)/.test(name),
  );
  if (found.length > 0) fail(`the core and the client alone pull in ${found.join(", ")}`);
}

async function expect(what, command, args, cwd) {
  const { code, output } = await run(command, args, { cwd, quiet: true, timeoutMs: 120_000 });
  if (code !== 0) fail(`${what}: exit code ${code}\n${output}`);
}

function fail(text) {
  console.log(text);
  process.exitCode = 1;
}

/** As many at a time as there are cores. */
async function inTurns(items, job) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await job(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

function write(name, file, content) {
  const path = join(home, name, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
