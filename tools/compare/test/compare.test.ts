import { readFileSync } from "node:fs";
import { join } from "node:path";
import { play } from "../src/play.ts";
import { playAll, type Row } from "../src/play-all.ts";
import { STORIES } from "../src/stories/index.ts";
import { SUBJECTS } from "../src/subjects/index.ts";
import { aforo } from "../src/subjects/aforo.ts";
import { virtualTime } from "../src/time.ts";

const PARTS = STORIES.flatMap(({ id, stores }) => stores.map((store) => ({ id, store })));
const PAGE = readFileSync(join(__dirname, "..", "..", "..", "docs", "comparison.md"), "utf8");

let rows: readonly Row[];

beforeAll(async () => {
  rows = await playAll(STORIES, [aforo], { atOnce: 5, timeOf: virtualTime });
});

test.each(PARTS)("Aforo's side of $id holds with $store", ({ id, store }) => {
  const row = rows.find((each) => each.story.id === id && each.store === store);
  expect(row?.verdicts[0]?.mark).toBe(id in LACKING ? "lacks" : "right");
});

/** Stories that others can play and Aforo can't, on purpose in the table. */
const LACKING = { "longer-block": "", "other-databases": "", "edge-runtime": "" };

test("docs/comparison.md names every story and every subject, and tells what came of ours", () => {
  for (const { title, why } of STORIES) expect(PAGE).toContain(`### ${title}\n\n${why}\n`);
  for (const { name } of SUBJECTS) expect(PAGE).toContain(name);
  for (const { verdicts } of rows) expect(PAGE).toContain(verdicts[0]?.told);
});

test("a story goes against whoever does not do what it says", async () => {
  const stories = STORIES.filter(({ id }) => ["retry-after-whole", "ipv6-rotation"].includes(id));
  const koa = SUBJECTS.find(({ name }) => name === "koa-ratelimit");
  if (koa === undefined) throw new Error("koa-ratelimit is not compared");
  const verdicts = await Promise.all(stories.map((story) => play(story, koa, "memory")));
  expect(verdicts.map(({ mark }) => mark)).toEqual(["wrong", "wrong"]);
});

test("stories have names of their own", () => {
  expect(new Set(STORIES.map(({ id }) => id)).size).toBe(STORIES.length);
  expect(new Set(STORIES.map(({ title }) => title)).size).toBe(STORIES.length);
});
