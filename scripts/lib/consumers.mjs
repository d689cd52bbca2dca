import { existsSync } from "node:fs";
import { join } from "node:path";
import { versionOf } from "./consumer.mjs";
import { root } from "./run.mjs";

/**
 * The projects that users have: the program of tools/consumers that each runs, our packages, and the frameworks in the
 * versions that the workspace is tested with (by the folder whose dependencies they are, under the name they have there).
 */
export const consumers = [
  { name: "none", program: "none", ours: ["@aforo/core", "@aforo/client"], theirs: {} },
  {
    name: "express-4",
    program: "express",
    ours: ["@aforo/express"],
    theirs: of("packages/express", { express: "express4", "@types/express": "@types/express4" }),
  },
  {
    name: "express-5",
    program: "express",
    ours: ["@aforo/express"],
    theirs: of("packages/express", { express: "express", "@types/express": "@types/express" }),
  },
  {
    name: "fastify-5",
    program: "fastify",
    ours: ["@aforo/fastify"],
    theirs: of("packages/fastify", { fastify: "fastify" }),
  },
  {
    name: "koa-2",
    program: "koa",
    ours: ["@aforo/koa"],
    theirs: of("packages/koa", { koa: "koa2", "@types/koa": "@types/koa2" }),
  },
  {
    name: "koa-3",
    program: "koa",
    ours: ["@aforo/koa"],
    theirs: of("packages/koa", { koa: "koa", "@types/koa": "@types/koa" }),
  },
  { name: "nest-11", program: "nest", ours: ["@aforo/nestjs"], theirs: nest("tools/nest11") },
  { name: "nest-12", program: "nest", ours: ["@aforo/nestjs"], theirs: nest("packages/nestjs") },
];

function nest(folder) {
  const names = ["@nestjs/common", "@nestjs/core", "@nestjs/platform-express", "reflect-metadata", "rxjs"];
  return of(folder, Object.fromEntries(names.map((name) => [name, name])));
}

function of(folder, names) {
  return Object.fromEntries(Object.entries(names).map(([name, here]) => [name, versionOf(folder, here)]));
}

/** The Node that runs this, and the others that users have, where their binaries run here. */
export function nodes() {
  const kind = `${process.platform}-${process.arch}`;
  const others = ["node22", "node24", "node"].map((name) =>
    join(root, "tools/consumers/node_modules", `${name}-${kind}`),
  );
  return [process.execPath, ...others.filter((folder) => existsSync(folder)).map((folder) => join(folder, "bin/node"))];
}

/** A project compiles the same program as an ES module and as CommonJS; strictly, and with the types of all that it uses. */
export const strict = {
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  experimentalDecorators: true,
  types: ["node"],
};
