import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectTypeOf } from "expect-type";
import { AforoError, ConfigError, ERROR_CODES, got, StoreError, type ErrorCode } from "../../src/domain/errors.ts";

test("the page of errors, the table of codes and the type are one", () => {
  const page = readFileSync(join(__dirname, "..", "..", "..", "..", "docs", "errors.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(ERR_\w+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm)];
  expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toEqual(ERROR_CODES);
  for (const [, code, , remedy] of rows) expect([code, remedy]).not.toEqual([code, ""]);
  expectTypeOf<ErrorCode>().toEqualTypeOf<keyof typeof ERROR_CODES>();
});

test("errors are known by code and name, and keep their cause", () => {
  const cause = new Error("refused");
  const error = new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "gone", { cause });
  expect(error).toMatchObject({ name: "StoreError", code: "ERR_AFORO_STORE_UNAVAILABLE", cause });
  expect(error).toBeInstanceOf(AforoError);
  expect(new ConfigError("ERR_AFORO_INVALID_RATE", "x").name).toBe("ConfigError");
});

test.each([
  ["10", 'got "10" (string)'],
  [NaN, "got NaN (number)"],
  [null, "got null (null)"],
  [undefined, "got undefined (undefined)"],
  [[1], "got an array (object)"],
  [{ a: 1 }, "got an object (object)"],
  [function limit() {}, "got function limit (function)"],
  [() => 1, "got a function (function)"],
  ["x".repeat(100), `got "${"x".repeat(64)}…" (string)`],
  [10n, "got 10 (bigint)"],
  [Symbol("s"), "got Symbol(s) (symbol)"],
])("a refused value %p is spelt with its type", (value, spelt) => {
  expect(got(value)).toBe(spelt);
});
