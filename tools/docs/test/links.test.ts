import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { anchorsOf, linksOf } from "../src/links.ts";

const ROOT = join(__dirname, "..", "..", "..");
const DOCS = join(ROOT, "docs");
const pages = [
  ...readdirSync(ROOT).map((name) => join(ROOT, name)),
  ...readdirSync(DOCS, { recursive: true }).map((name) => join(DOCS, String(name))),
  ...["packages", "examples"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name, "README.md")),
  ),
].filter((file) => file.endsWith(".md") && existsSync(file));

const known = new Map<string, ReadonlySet<string>>();

function hasAnchor(file: string, anchor: string): boolean {
  const anchors = known.get(file) ?? anchorsOf(file);
  known.set(file, anchors);
  return anchors.has(anchor);
}

/** Links of a page to files of the repository: the file, and what stands behind `#`. */
function targetsOf(page: string): { readonly link: string; readonly file: string; readonly anchor: string }[] {
  return linksOf(page)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = "", anchor = ""] = decodeURI(link).split("#");
      return { link, file: path === "" ? page : resolve(dirname(page), path), anchor };
    });
}

test.each(pages.map((page) => relative(ROOT, page)))("every link of %s leads somewhere", (name) => {
  const lost = targetsOf(join(ROOT, name)).filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== "" && file.endsWith(".md") && !hasAnchor(file, anchor)),
  );
  expect(lost.map(({ link }) => link)).toEqual([]);
});

test("the index of the documentation leads to every page, and the README to all but those of the API", () => {
  const reached = (page: string): Set<string> => new Set(targetsOf(page).map(({ file }) => file));
  const all = pages.filter((page) => page.startsWith(DOCS) && page !== join(DOCS, "README.md"));
  const api = (page: string): boolean => dirname(page) === join(DOCS, "api") && !page.endsWith("README.md");
  const index = reached(join(DOCS, "README.md"));
  const readme = reached(join(ROOT, "README.md"));
  expect(all.filter((page) => !api(page) && !index.has(page))).toEqual([]);
  expect(all.filter((page) => !api(page) && !readme.has(page))).toEqual([]);
});

test("what the README says of peers is what the comparison found", () => {
  const rowsOf = (file: string): string[][] =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => /^\|.*[✓✗–] *\|$/.test(line))
      .map((line) => line.slice(1, -1).split("|"))
      .map((cells) => cells.map((cell) => cell.trim()));
  const found = new Set(
    rowsOf(join(DOCS, "comparison.md")).map(([story = "", , ...marks]) =>
      [story.replace(/^\[(.*)\]\(.*\)$/, "$1"), ...marks].join("|"),
    ),
  );
  const claimed = rowsOf(join(ROOT, "README.md")).map((cells) => cells.join("|"));
  expect(claimed.length).toBeGreaterThan(5);
  expect(claimed.filter((row) => !found.has(row))).toEqual([]);
});
