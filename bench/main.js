// The benchmark: `npm run bench -- --help` tells what it takes.
import { parseArguments } from "./src/cli/arguments.js";
import { loadPart, partNames } from "./src/cli/parts.js";
import { machine } from "./src/report/machine.js";
import { summary } from "./src/report/summary.js";

const { parts, effort } = parseArguments(process.argv.slice(2));
const start = performance.now();
const rows = [];
console.log(machine());
for (const name of parts.length > 0 ? parts : partNames) {
  const { title, run } = await loadPart(name);
  const from = performance.now();
  console.log(`\n## ${name}: ${title}\n`);
  const print = (/** @type {string} */ caption, /** @type {string} */ text) =>
    console.log(`${caption === "" ? "" : `${caption}\n`}${text}\n`);
  rows.push(...(await run({ effort, print })));
  console.log(`(${((performance.now() - from) / 1000).toFixed(0)} s)`);
}
console.log(`\n${summary(rows)}`);
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s in all`);
process.exit(0);
