// npm run compare                 plays all stories and prints the page
// npm run compare -- retry-loop   plays the named stories
// npm run compare -- --write      writes docs/comparison.md
// npm run compare -- --check      fails when docs/comparison.md says anything else
import { readFileSync, writeFileSync } from "node:fs";
import { playAll } from "./play-all.ts";
import { report } from "./report.ts";
import { STORIES } from "./stories/index.ts";
import { SUBJECTS } from "./subjects/index.ts";

const PAGE = new URL("../../../docs/comparison.md", import.meta.url);

const given = process.argv.slice(2);
const names = given.filter((argument) => !argument.startsWith("-"));
const unknown = names.filter((name) => !STORIES.some(({ id }) => id === name));
if (unknown.length > 0)
  fail(`No story is called "${unknown[0]}"; there are: ${STORIES.map(({ id }) => id).join(", ")}`);
const stories = names.length === 0 ? STORIES : STORIES.filter(({ id }) => names.includes(id));
const started = performance.now();
// What peers log of outages that were made for them.
console.warn = console.error = () => {};

const rows = await playAll(stories, SUBJECTS, {
  onRow({ story, store, verdicts }) {
    const marks = verdicts.map(({ mark }) => ({ right: "✓", wrong: "✗", lacks: "–" })[mark]);
    process.stderr.write(`${marks.join(" ")}  ${story.id}, ${store}\n`);
  },
});
const page = await report(rows, SUBJECTS);
process.stderr.write(`${rows.length} rows in ${Math.round((performance.now() - started) / 1_000)} s\n`);

if (given.includes("--write")) writeFileSync(PAGE, page);
else if (given.includes("--check")) check(readFileSync(PAGE, "utf8"), page);
else console.log(page);
process.exit();

function check(written: string, played: string): void {
  if (written === played) return;
  const before = written.split("\n");
  for (const line of played.split("\n").filter((each) => !before.includes(each))) process.stderr.write(`+ ${line}\n`);
  fail("docs/comparison.md says something else; npm run compare -- --write renews it");
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
