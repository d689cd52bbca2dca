// Makes docs/api, a page for each entry point, from the docstrings; with --check tells whether the pages are current.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind, TSConfigReader } from "typedoc";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "..", "..");
const PAGES = join(ROOT, "docs", "api");

/** Pages, the entry points that they are about, and what is said first. */
const ENTRIES = {
  core: { from: "@aforo/core", source: "core/src/index.ts" },
  redis: { from: "@aforo/core/redis", source: "core/src/redis/index.ts" },
  adapter: {
    from: "@aforo/core/adapter",
    source: "core/src/adapter.ts",
    note: "For those who write an adapter for another framework. Types that are not here are those of [@aforo/core](core.md).",
  },
  testing: { from: "@aforo/core/testing", source: "core/src/testing/index.ts" },
  express: { from: "@aforo/express", source: "express/src/index.ts", note: reexports("redisStore", "answerContinue") },
  fastify: { from: "@aforo/fastify", source: "fastify/src/index.ts", note: reexports("redisStore") },
  koa: { from: "@aforo/koa", source: "koa/src/index.ts", note: reexports("redisStore", "answerContinue") },
  nestjs: { from: "@aforo/nestjs", source: "nestjs/src/index.ts", note: reexports("redisStore") },
  client: { from: "@aforo/client", source: "client/src/index.ts" },
  otel: { from: "@aforo/otel", source: "otel/src/index.ts" },
};

function reexports(...more) {
  const others = more.map((name) => `, \`${name}\``).join("");
  return `Exports everything of [@aforo/core](core.md)${others} as well.`;
}

const made = mkdtempSync(join(tmpdir(), "aforo-api-"));
try {
  await generate(made);
  if (process.argv.includes("--check")) check(made);
  else copy(made);
} finally {
  rmSync(made, { recursive: true });
}

async function generate(folder) {
  const pathOf = (source) => join(ROOT, "packages", source);
  const app = await Application.bootstrapWithPlugins(
    {
      entryPoints: Object.values(ENTRIES).map(({ source }) => pathOf(source)),
      tsconfig: join(HERE, "tsconfig.json"),
      // The compiler of the repository checks types; this one only reads them.
      skipErrorChecking: true,
      plugin: ["typedoc-plugin-markdown"],
      outputs: [{ name: "markdown", path: folder }],
      outputFileStrategy: "modules",
      readme: "none",
      disableSources: true,
      excludeExternals: true,
      excludeInternal: true,
      excludePrivate: true,
      hidePageHeader: true,
      hideBreadcrumbs: true,
      useCodeBlocks: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
      classPropertiesFormat: "table",
      propertyMembersFormat: "table",
      typeDeclarationFormat: "table",
      sort: ["alphabetical"],
      groupOrder: ["Functions", "Variables", "Classes", "Interfaces", "Type Aliases"],
      validation: { notDocumented: true, notExported: false, invalidLink: false },
      requiredToBeDocumented: ["Function", "Class", "Interface", "TypeAlias", "Variable"],
      treatValidationWarningsAsErrors: true,
      logLevel: "Warn",
    },
    [new TSConfigReader()],
  );
  // Before they are put into groups.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) nameModule(project, module);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc could not read the sources");
  app.validate(project);
  if (app.logger.hasErrors()) throw new Error("a public name has no docstring");
  await app.generateOutputs(project);
  finish(folder);
}

/** Calls a module as its page is called, and leaves out what it only passes on. */
function nameModule(project, module) {
  const [name] = Object.entries(ENTRIES).find(([, { source }]) =>
    [source, source.replace(/\/index\.ts$/, ""), source.replace(/\.ts$/, "")].includes(module.name),
  );
  module.name = name;
  const passedOn = module.children?.filter((child) => child.kindOf(ReflectionKind.Reference)) ?? [];
  for (const child of passedOn) project.removeReflection(child);
}

/** Titles, first sentences, links that tell names apart by letter case, and the index. */
function finish(folder) {
  for (const [name, { from, note }] of Object.entries(ENTRIES)) {
    const file = join(folder, `${name}.md`);
    const body = readFileSync(file, "utf8").replace(/^# .*\n/, "");
    writeFileSync(file, `# ${from}\n${note === undefined ? "" : `\n${note}\n`}${body}`);
  }
  const anchors = new Map(pagesOf(folder).map(([name, text]) => [name, anchorsOf(text)]));
  for (const [name, text] of pagesOf(folder)) {
    const linked = text.replaceAll(/\[(`?)(\w+)\1\]\(([\w.]*)#[\w-]+\)/g, (link, tick, what, page) => {
      const anchor = anchors.get(page === "" ? name : page)?.get(what);
      return anchor === undefined ? link : `[${tick}${what}${tick}](${page}#${anchor})`;
    });
    writeFileSync(join(folder, name), linked);
  }
  const links = Object.entries(ENTRIES).map(([name, { from }]) => `- [${from}](${name}.md)`);
  writeFileSync(
    join(folder, "README.md"),
    `# API\n\nMade from the docstrings by \`npm run docs:api\`. Options with their ranges and defaults stand in one table: [options](../options.md).\n\n${links.join("\n")}\n`,
  );
}

/** Where the names of a page are: `RateLimit` and `rateLimit` are two headings, the second of which gets a number. */
function anchorsOf(text) {
  const counts = new Map();
  const anchors = new Map();
  for (const [, level, name] of text.matchAll(/^(#+) (.+)$/gm)) {
    const slug = name
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    if (level === "###") anchors.set(name.replace("()", ""), count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function copy(folder) {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const [name, text] of pagesOf(folder)) writeFileSync(join(PAGES, name), text);
}

function pagesOf(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".md")) : [];
  return names.map((name) => [name, readFileSync(join(folder, name), "utf8")]);
}

function check(folder) {
  const [fresh, kept] = [new Map(pagesOf(folder)), new Map(pagesOf(PAGES))];
  const stale = [...new Set([...fresh.keys(), ...kept.keys()])].filter((name) => fresh.get(name) !== kept.get(name));
  if (stale.length === 0) return;
  console.error(`docs/api is not what the docstrings say (${stale.join(", ")}); run npm run docs:api`);
  process.exitCode = 1;
}
