// The benchmark: `npm run bench -- --help` tells what it takes.
import { fileURLToPath } from "node:url";
import { parseArguments } from "./src/cli/arguments.js";
import { measure, seconds } from "./src/cli/measure.js";
import { runOnNewestNode } from "./src/cli/newest-node.js";
import { partNames } from "./src/cli/parts.js";
import { record, regressions, smokeParts } from "./src/cli/recorded.js";
import { writeDocument } from "./src/report/document.js";
import { keep } from "./src/report/kept.js";
import { machine } from "./src/report/machine.js";
import { summary } from "./src/report/summary.js";

const { parts, effort, newestNode, recording, writing, rest } = parseArguments(process.argv.slice(2));
if (newestNode) runOnNewestNode(fileURLToPath(import.meta.url), rest);

const start = performance.now();
const wanted = parts.length > 0 ? parts : effort === "smoke" ? smokeParts : partNames;
const described = machine();
console.log(described);
const { rows, printed, failed } = await measure(wanted, effort);
const result = rows.length > 0 ? summary(rows) : "";
console.log(`\n${result}\n${seconds(start)} in all`);
if (writing) writeDocument(blocks());
for (const name of failed) console.error(`FAILED ${name}`);
process.exit(failed.length > 0 ? 1 : effort === "smoke" ? await judge() : 0);

/** What the page shows: the tables of these parts, and the one table once all parts have been measured. */
function blocks() {
  const version = String(process.versions.node.split(".")[0]);
  const parts = new Map([...printed.keys()].map((name) => [name, rows.filter(({ part }) => part === name)]));
  // All but the load, which is another one each time.
  const kept = keep(version, { effort, machine: described.replace(/\nload .*/, ""), parts });
  const tables = [...printed].map(([name, text]) => /** @type {const} */ ([`${name} ${version}`, text]));
  if (!partNames.every((name) => name in kept.parts)) return new Map(tables);
  const all = summary(partNames.flatMap((name) => kept.parts[name] ?? []));
  return new Map([...tables, [`all ${version}`, `${described}\n\n${all}`]]);
}

/** Gross regressions only; what looks like one is measured twice more, since a machine can be busy for a while. */
async function judge() {
  if (recording) record(rows);
  let suspects = rows;
  let worse = regressions(rows);
  for (let tries = 0; tries < 2 && worse.length > 0; tries++) {
    const parts = new Set(suspects.filter((row) => regressions([row]).length > 0).map(({ part }) => part));
    console.log(`\nonce more: ${[...parts].join(", ")}`);
    suspects = (await measure([...parts], effort)).rows;
    worse = regressions(suspects);
  }
  for (const line of worse) console.error(`REGRESSION ${line}`);
  return worse.length > 0 ? 1 : 0;
}
