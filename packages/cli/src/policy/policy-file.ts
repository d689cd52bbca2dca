import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { RateLimitOptions } from "@aforo/core/adapter";
import { parseKeySpec, type Normalize } from "../callers/key-spec.ts";
import { UsageError } from "../usage-error.ts";
import type { LoggedRequest } from "./log-view.ts";
import { plainPolicies, type PlainPolicy } from "./plain-policies.ts";
import type { WrittenOptions } from "./written-options.ts";
import { parseRoutePattern } from "./route-pattern.ts";

/** The options that an application gives to `rateLimit`, read from its policy file. */
export type AppOptions = RateLimitOptions<LoggedRequest>;

/** A policy file, ready to be tried. */
export interface PolicyFile {
  readonly path: string;
  /** The file's name. */
  readonly label: string;
  readonly options: AppOptions;
  /** Set when the policies are all that the file holds, with keys that a log can tell: these are quicker to try. */
  readonly plain: readonly PlainPolicy[] | undefined;
}

/** Imports a module by its address; given by the program, since only it knows how modules are loaded. */
export type ImportModule = (url: string) => Promise<unknown>;

/**
 * Reads `policy.json`, or a module whose default export is what the application gives to `rateLimit` (its `store` is
 * not used).
 *
 * @throws {@link UsageError} when it cannot be read.
 */
export async function readPolicyFile(
  path: string,
  importModule: ImportModule,
  normalize: Normalize,
): Promise<PolicyFile> {
  const written = /\.json$/i.test(path) ? await readJson(path) : await readModule(path, importModule);
  if (typeof written !== "object" || written === null || Array.isArray(written)) {
    throw new UsageError(
      `${path}: expected an object of options as for rateLimit(), got ${Array.isArray(written) ? "an array" : String(written)}`,
    );
  }
  const { match, ...rest } = written as WrittenOptions;
  const label = basename(path).replace(/\.\w+$/, "");
  try {
    const options = {
      ...withKeys(rest, normalize),
      ...(match === undefined ? {} : { classify: classifier(match) }),
    } as object as AppOptions;
    return { path, label, options, plain: plainPolicies(written as WrittenOptions) };
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(
      `${path}: ${(error as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : (error as Error).message}`,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(`${path}${placeOf(message, text)}: no JSON: ${message}`);
  }
}

/** `:line:column` of the position that the engine names. */
function placeOf(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return "";
  const before = text.slice(0, Number(position)).split("\n");
  return `:${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

async function readModule(path: string, importModule: ImportModule): Promise<unknown> {
  const namespace = await importModule(pathToFileURL(resolve(path)).href).catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be loaded: ${(error as Error).message}`);
  });
  const exported = (namespace as { default?: unknown }).default;
  if (exported === undefined)
    throw new UsageError(`${path}: expected a default export, the options as for rateLimit()`);
  return exported;
}

function withKeys(options: WrittenOptions, normalize: Normalize): WrittenOptions {
  const { key, policies, classes, ...rest } = options;
  return {
    ...rest,
    ...(key === undefined ? {} : { key: typeof key === "string" ? keyFunction(key, normalize) : key }),
    ...(Array.isArray(policies)
      ? { policies: policies.map((policy: WrittenOptions) => withKeys(policy, normalize)) }
      : {}),
    ...(typeof classes !== "object" || classes === null
      ? {}
      : {
          classes: Object.fromEntries(
            Object.entries(classes).map(([name, each]) => [
              name,
              typeof each === "object" && each !== null ? withKeys(each as WrittenOptions, normalize) : each,
            ]),
          ),
        }),
  };
}

function keyFunction(text: string, normalize: Normalize): (view: { readonly raw: LoggedRequest }) => string {
  const spec = parseKeySpec(text, normalize);
  return ({ raw }) => spec.callers.key(spec.callerOf(raw.line));
}

function classifier(match: Readonly<Record<string, string | readonly string[]>>): NonNullable<AppOptions["classify"]> {
  const rules = Object.entries(match).map(([name, texts]) => ({
    name,
    patterns: [texts].flat().map((text) => parseRoutePattern(`match.${name}`, text)),
  }));
  return ({ raw }) => rules.find(({ patterns }) => patterns.some((matches) => matches(raw.method, raw.url)))?.name;
}
