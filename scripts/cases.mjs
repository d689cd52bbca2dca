// npm run cases             which tests settle which acceptance case
// npm run cases -- --missing  only the cases that no test names
// The cases are numbered A01 to A67; a test, or a check's own script, carries the number in its name.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./lib/run.mjs";
import { caseNumbers } from "./lib/cases.mjs";

const folders = ["packages", "examples", "tools", "scripts"];
const files = folders.flatMap((folder) => sources(join(root, folder)));
/** @type {Map<string, string[]>} */
const places = new Map(caseNumbers.map((number) => [number, []]));
for (const file of files) {
  for (const title of titlesOf(readFileSync(file, "utf8"))) {
    for (const number of title.match(/\bA\d\d\b/g) ?? []) places.get(number)?.push(`${relative(root, file)}: ${title}`);
  }
}

const missing = caseNumbers.filter((number) => places.get(number).length === 0);
if (!process.argv.includes("--missing")) {
  for (const [number, titles] of places) console.log([number, ...titles.map((title) => `  ${title}`)].join("\n"));
}
console.log(missing.length === 0 ? "no case without a test" : `no test names ${missing.join(" ")}`);
process.exitCode = missing.length === 0 ? 0 : 1;

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name === "out") return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.test\.ts$|[/\\](?:stories|testing)[/\\].*\.ts$|check-\w+\.mjs$/.test(path) ? [path] : [];
  });
}

/** Texts that name a case: what tests are called, perhaps by a table, and what a check says when it passes. */
function titlesOf(text) {
  return [...text.matchAll(/(["'`])((?:(?!\1).)*\bA\d\d\b(?:(?!\1).)*)\1/g)].map(([, , title]) => title);
}
