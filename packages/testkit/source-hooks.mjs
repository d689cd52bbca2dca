// Lets plain `node` run the sources as they are: what the tests start is the real bin, without a build.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "@swc/core";

const BUILT = /\/packages\/([a-z-]+)\/dist\/esm\/(.*)\.js$/;

export async function resolve(specifier, context, next) {
  const { url, ...found } = await next(specifier, {
    ...context,
    conditions: ["@aforo/source", ...context.conditions],
  }).catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !BUILT.test(error.url ?? "")) throw error;
    return { url: error.url, format: "module", shortCircuit: true };
  });
  return { ...found, url: url.replace(BUILT, "/packages/$1/src/$2.ts") };
}

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), "utf8"), {
    swcrc: false,
    filename: fileURLToPath(url),
    sourceMaps: "inline",
    module: { type: "es6" },
    jsc: { target: "es2022", parser: { syntax: "typescript", decorators: true }, transform: { legacyDecorator: true } },
  });
  return { format: "module", source: code, shortCircuit: true };
}
