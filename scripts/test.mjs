// The one gate. `npm test` runs every check; `npm test -- types jest` only those named.
// A check is a script of package.json called "check:<name>", so each can be run by itself as well.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { requireTools } from "./lib/tools.mjs";
import { root, run } from "./lib/run.mjs";
import { runTests } from "./lib/run-tests.mjs";

/** Two lanes, for two cores; in a lane a check waits for the one before it, and is not run when that failed. */
const lanes = [
  [["types"], ["lint"], ["unused"], ["boundaries"], ["generated"], ["mutants"], ["format"]],
  [["build", "exports", "size", "tarballs", "consumers"]],
];
const stepLimitMs = 27 * 60_000;

const wanted = process.argv.slice(2);
const scripts = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;
/** The smoke run of the benchmark wants the machine to itself, as the tests do. */
const last = ["bench"];
const names = [...lanes.flat(2), "jest", ...last];
const failed = [];
/** What the checks say that settles acceptance cases, which are numbered as in the names of tests. */
const remarks = [];
let passed = 0;

for (const name of wanted.filter((name) => !names.includes(name))) {
  console.error(`No check is called "${name}"; there are: ${names.join(", ")}`);
  process.exit(2);
}
await bootstrap();
if (isWanted("jest") || isWanted("consumers")) await requireTools();
else if (isWanted("bench")) await requireTools("redis-server");

await Promise.all(
  lanes.map(async (chains) => {
    for (const chain of chains) await runChain(chain.filter(isWanted));
  }),
);
// By themselves, since some tests measure time.
const tests = isWanted("jest")
  ? await runTests({ timeoutMs: stepLimitMs, remarks })
  : { passed: 0, failed: 0, lines: [] };
await runChain(last.filter(isWanted));

console.log(
  ["", ...tests.lines, `checks      ${passed} passed${failed.map((name) => `, ${name} FAILED`).join("")}`].join("\n"),
);
console.log(`${passed + tests.passed} passed, ${failed.length + tests.failed} failed`);
process.exitCode = failed.length + tests.failed === 0 ? 0 : 1;

function isWanted(name) {
  return wanted.length === 0 || wanted.includes(name);
}

async function runChain(chain) {
  for (const [index, name] of chain.entries()) {
    const start = performance.now();
    const { code, output } = await run("sh", ["-c", scripts[`check:${name}`]], { quiet: true, timeoutMs: stepLimitMs });
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${code === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
    if (code === 0) {
      passed += 1;
      remarks.push(...output.split("\n").filter((line) => /^A\d\d /.test(line)));
      continue;
    }
    console.log(output);
    failed.push(name, ...chain.slice(index + 1).map((later) => `${later} (not run)`));
    return;
  }
}
