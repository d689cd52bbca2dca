// The benchmark: `npm run bench -- --help` tells what it takes.
import { fileURLToPath } from "node:url";
import { parseArguments } from "./src/cli/arguments.js";
import { runOnNewestNode } from "./src/cli/newest-node.js";
import { loadPart, partNames } from "./src/cli/parts.js";
import { record, regressions, smokeParts } from "./src/cli/recorded.js";
import { machine } from "./src/report/machine.js";
import { summary } from "./src/report/summary.js";

const { parts, effort, newestNode, recording, rest } = parseArguments(process.argv.slice(2));
if (newestNode) runOnNewestNode(fileURLToPath(import.meta.url), rest);

const start = performance.now();
const wanted = parts.length > 0 ? parts : effort === "smoke" ? smokeParts : partNames;
/** @type {string[]} */
const failed = [];
console.log(machine());
const rows = await measure(wanted);
console.log(`\n${rows.length > 0 ? `${summary(rows)}\n` : ""}${seconds(start)} in all`);
for (const name of failed) console.error(`FAILED ${name}`);
process.exit(failed.length > 0 ? 1 : effort === "smoke" ? await judge() : 0);

/** @param {readonly string[]} names */
async function measure(names) {
  const measured = [];
  for (const name of names) {
    const { title, run } = await loadPart(name);
    const from = performance.now();
    console.log(`\n## ${name}: ${title}\n`);
    const print = (/** @type {string} */ caption, /** @type {string} */ text) =>
      console.log(`${caption === "" ? "" : `${caption}\n`}${text}\n`);
    try {
      measured.push(...(await run({ effort, print })));
    } catch (error) {
      // The other parts can be measured all the same.
      failed.push(name);
      console.error(error);
    }
    console.log(`(${seconds(from)})`);
  }
  return measured;
}

/** Gross regressions only; what looks like one is measured once more, since a machine can be busy for a moment. */
async function judge() {
  if (recording) record(rows);
  const suspects = new Set(rows.filter((row) => regressions([row]).length > 0).map(({ part }) => part));
  if (suspects.size === 0) return 0;
  console.log(`\nonce more: ${[...suspects].join(", ")}`);
  const worse = regressions(await measure([...suspects]));
  for (const line of worse) console.error(`REGRESSION ${line}`);
  return worse.length > 0 ? 1 : 0;
}

/** @param {number} from */
function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(0)} s`;
}
