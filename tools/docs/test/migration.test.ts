import { readFileSync } from "node:fs";
import { join } from "node:path";
import { optionNames } from "../src/option-names.ts";
import { optionTables } from "../src/option-tables.ts";

const ROOT = join(__dirname, "..", "..", "..");

/** Where each guide's peer declares its options. */
const PEERS: readonly (readonly [guide: string, options: () => readonly string[]])[] = [
  [
    "express-rate-limit",
    () => [
      ...typed("express-rate-limit/dist/index.d.ts", "Options"),
      ...typed("rate-limit-redis/dist/index.d.ts", "CommonOptions", "SingleOptions", "ClusterOptions"),
    ],
  ],
  [
    "fastify-rate-limit",
    () =>
      typed(
        "@fastify/rate-limit/types/index.d.ts",
        "CreateRateLimitOptions",
        "RateLimitOptions",
        "RateLimitPluginOptions",
      ),
  ],
  [
    "koa-ratelimit",
    // Its types come from others and lag behind, so what the code reads counts too.
    () => [
      ...typed("@types/koa-ratelimit/index.d.ts", "MiddlewareOptions"),
      ...[...installed("koa-ratelimit/index.js").matchAll(/\bopts\.(\w+)/g)].map(([, name]) => name as string),
    ],
  ],
  [
    "rate-limiter-flexible",
    () => {
      const file = "rate-limiter-flexible/types.d.ts";
      const types = [...installed(file).matchAll(/interface (I\w+Opt(?:ion)?s\w*)/g)].map(([, type]) => type as string);
      return typed(file, ...types);
    },
  ],
  [
    "nestjs-throttler",
    () => [
      ...typed(
        "@nestjs/throttler/dist/throttler-module-options.interface.d.ts",
        "ThrottlerOptions",
        "ThrottlerModuleOptions",
        "ThrottlerAsyncOptions",
      ),
      ...typed("@nestjs/throttler/dist/throttler.decorator.d.ts", "ThrottlerMethodOrControllerOptions"),
    ],
  ],
];

describe.each(PEERS)("the guide from %s", (guide, options) => {
  const tables = optionTables(join(ROOT, "docs", "migration", `${guide}.md`));
  const documented = [...(tables.get("Options")?.keys() ?? [])].flatMap((names) => names.split(", "));

  test("mentions every option of the installed version", () => {
    expect(new Set(options()).size).toBeGreaterThan(5);
    expect([...new Set(options())].filter((name) => !documented.includes(name))).toEqual([]);
  });

  test("mentions none that is gone, and none twice", () => {
    expect(documented.filter((name) => !options().includes(name))).toEqual([]);
    expect(new Set(documented).size).toBe(documented.length);
  });
});

test("members of a type are found in whatever form they are written", () => {
  const declarations = `
    type Other = { nothing: 1 };
    export type Options = Base & {
      /** Such as { this: 1 }. */
      readonly plain?: number;
      method?(key: string): boolean;
      callback?: (
        request: Request,
      ) => object;
      nested?: { inner: number };
    };
    interface After { nothing: 1 }`;
  expect(optionNames(declarations, "Options")).toEqual(["plain", "method", "callback", "nested"]);
  expect(() => optionNames(declarations, "Gone")).toThrow("there is no type Gone");
});

function typed(file: string, ...types: readonly string[]): readonly string[] {
  return types.flatMap((type) => optionNames(installed(file), type));
}

function installed(file: string): string {
  return readFileSync(join(__dirname, "..", "node_modules", file), "utf8");
}
