// npm run mutate -- redis koa state.lua   breaks the sources on purpose, one line at a time, in a clone: some test must fail each
// time. What survives is a line that no test holds. Not part of `npm test`, which only says (`--check`) whether all these
// lines are there: it takes longer than all tests together.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { must, root, run } from "./lib/run.mjs";
import * as adapters from "./mutations/adapters.mjs";
import { redis } from "./mutations/redis.mjs";

const groups = { redis, ...adapters };
if (process.argv[2] === "--check") process.exit(stale(root, Object.values(groups)) ? 1 : 0);
const files = process.argv.slice(2).filter((name) => name.includes("."));
const named = process.argv.slice(2).filter((name) => !files.includes(name));
const chosen = (named.length > 0 ? named : Object.keys(groups))
  .map((name) => ({ name, ...groups[name] }))
  .map((group) => ({
    ...group,
    mutations: group.mutations?.filter(({ file }) => files.length === 0 || isNamed(file)),
  }));
for (const name of [...named.filter((each) => !(each in groups)), ...files.filter((each) => !isKnown(each))]) {
  console.error(
    `Nothing to break is called "${name}"; there are: ${Object.keys(groups).join(", ")}, and the files of each`,
  );
  process.exit(2);
}
await bootstrap();
const clone = mkdtempSync(join(tmpdir(), "aforo-mutants-"));
process.on("exit", () => rmSync(clone, { recursive: true, force: true }));
await must("git", ["clone", "--quiet", "--shared", root, clone]);
await must("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: clone, quiet: true });

let [caught, survived] = [0, 0];
for (const { name, prepare, tests, mutations } of chosen) {
  if (mutations.length === 0) continue;
  if (!(await passes(prepare, tests))) {
    console.error(`${name}: the tests fail before anything is broken`);
    process.exit(1);
  }
  if (stale(clone, [{ mutations }])) process.exit(1);
  for (const { file, from, to } of mutations) {
    const path = join(clone, file);
    const source = readFileSync(path, "utf8");
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    const isCaught = !(await passes(prepare, tests));
    writeFileSync(path, source);
    if (isCaught) caught += 1;
    else survived += 1;
    const shown = (text) => JSON.stringify(text).slice(1, -1).slice(0, 100);
    console.log(`${isCaught ? "caught  " : "SURVIVED"}  ${file}: ${shown(from)}  ->  ${shown(to) || "nothing"}`);
  }
}
console.log(`${caught} caught, ${survived} survived`);
process.exitCode = survived === 0 ? 0 : 1;

function isNamed(file) {
  return files.some((name) => file.endsWith(`/${name}`));
}

/** Whether some chosen group breaks a line of a file of this name. */
function isKnown(name) {
  return chosen.some(({ mutations = [] }) => mutations.some(({ file }) => file.endsWith(`/${name}`)));
}

/** Whether a line that is to be broken is no longer there; says which. */
function stale(directory, some) {
  const gone = some
    .flatMap(({ mutations }) => mutations)
    .filter(({ file, from }) => !sourceOf(directory, file).includes(from));
  for (const { file, from } of gone) console.error(`${file} has no ${JSON.stringify(from)} any more`);
  return gone.length > 0;
}

function sourceOf(directory, file) {
  const path = join(directory, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

async function passes(prepare, tests) {
  const options = { cwd: clone, quiet: true, timeoutMs: 600_000 };
  if (prepare !== undefined && (await run("sh", ["-c", prepare], options)).code !== 0) return false;
  const { code } = await run(
    "jest",
    ["--ci", "--bail", "--silent", "--selectProjects", "aforo", "--testPathPatterns", ...tests],
    options,
  );
  return code === 0;
}
