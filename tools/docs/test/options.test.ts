import { join } from "node:path";
import { declaredOptions, type DeclaredOption } from "../src/declared-options.ts";
import { optionTables } from "../src/option-tables.ts";

const ROOT = join(__dirname, "..", "..", "..");

/** Entry points of what users install, and what stands before the headings of their tables. */
const ENTRIES: readonly [string, string][] = [
  ["core/src/index.ts", ""],
  ["core/src/redis/index.ts", ""],
  ["express/src/index.ts", "Express: "],
  ["fastify/src/index.ts", "Fastify: "],
  ["koa/src/index.ts", "Koa: "],
  ["nestjs/src/index.ts", "Nest: "],
  ["otel/src/index.ts", ""],
  ["client/src/index.ts", ""],
];

const tables = optionTables(join(ROOT, "docs", "options.md"));
const types = new Map(ENTRIES.flatMap(([entry, prefix]) => typesOf(entry, prefix)));

/** By the headings of their tables. */
function typesOf(entry: string, prefix: string): [string, readonly DeclaredOption[]][] {
  return [...declaredOptions(join(ROOT, "packages", entry))].map(([name, options]) => [
    [...tables.keys()].find((heading) => isFor(heading, prefix, name)) ?? `(no table) ${prefix}${name}`,
    options,
  ]);
}

/** A heading may begin with the function that takes the options; types of one name in several packages with the framework. */
function isFor(heading: string, prefix: string, name: string): boolean {
  if (prefix !== "") return heading === prefix + name;
  return heading === name || (/^[a-z]/.test(heading) && heading.endsWith(`: ${name}`));
}

test("the sources declare options, and the page has a table for each type of them and no other", () => {
  expect(types.size).toBeGreaterThan(15);
  expect([...types.keys()].sort()).toEqual([...tables.keys()].sort());
});

describe.each([...types])("%s", (heading, declared) => {
  const rows = tables.get(heading) ?? new Map<string, string>();

  test("lists every option of its type, and none besides", () => {
    expect([...rows.keys()].sort()).toEqual(declared.map(({ name }) => name).sort());
  });

  test("says the defaults that the docstrings say", () => {
    for (const { name, defaultValue } of declared) {
      if (defaultValue !== undefined) expect(`${name}: ${plain(rows.get(name))}`).toContain(plain(defaultValue));
    }
  });
});

/** Without what is only a matter of spelling. */
function plain(value: string | undefined): string {
  return (value ?? "").replaceAll(/[`,_]/g, "");
}
