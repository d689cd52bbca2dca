import { readClock } from "../../src/domain/clock.ts";
import { AforoError, ConfigError, got, StoreError } from "../../src/domain/errors.ts";
import {
  nearestOf,
  requireFunction,
  requireInteger,
  requireKnownOptions,
  requireOneOf,
} from "../../src/domain/options.ts";
import { refusal } from "./refusal.ts";

test("an error has a code that never changes, beside its message", () => {
  for (const Kind of [AforoError, ConfigError, StoreError]) {
    const cause = new Error("why");
    const error = new Kind("ERR_AFORO_CLOSED", "it was closed", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(AforoError);
    expect(error).toMatchObject({ code: "ERR_AFORO_CLOSED", name: Kind.name, message: "it was closed", cause });
  }
});

test.each([
  ["10", 'got "10" (string)'],
  ["", 'got "" (string)'],
  ['a"b\n', 'got "a\\"b\\n" (string)'],
  [NaN, "got NaN (number)"],
  [-0, "got 0 (number)"],
  [null, "got null (null)"],
  [undefined, "got undefined (undefined)"],
  [10n, "got 10 (bigint)"],
  [true, "got true (boolean)"],
  [[1, 2], "got an array (object)"],
  [{ secret: "s" }, "got an object (object)"],
  [Object.create(null), "got an object (object)"],
  [Symbol("s"), "got Symbol(s) (symbol)"],
  [() => 5, "got a function (function)"],
  [function named() {}, "got function named (function)"],
])("%p that was refused is spelt", (value, spelling) => {
  expect(got(value)).toBe(spelling);
});

test("a long text that was refused is cut", () => {
  expect(got("x".repeat(10_000)).length).toBeLessThan(100);
});

test("known options pass, inherited ones are not looked at", () => {
  requireKnownOptions("options", { a: 1 }, ["a", "b"]);
  requireKnownOptions("options", {}, ["a", "b"]);
  requireKnownOptions("options", Object.create({ c: 1 }), ["a", "b"]);
  refusal(() => requireKnownOptions("options", JSON.parse('{"__proto__": 1}'), ["a"]), "ERR_AFORO_UNKNOWN_OPTION");
  refusal(() => requireKnownOptions("options", { toString: 1 }, ["a"]), "ERR_AFORO_UNKNOWN_OPTION");
});

test("the nearest word is one that is near", () => {
  expect(nearestOf("limts", ["limit", "name"])).toBe("limit");
  expect(nearestOf("LIMIT", ["limit"])).toBe("limit");
  expect(nearestOf("trustProxy", ["limit", "name"])).toBeUndefined();
});

test("a whole number is within its range and a number", () => {
  expect(requireInteger("n", 5, 1)).toBe(5);
  expect(requireInteger("n", 1, 1, 3)).toBe(1);
  expect(requireInteger("n", 3, 1, 3)).toBe(3);
  for (const value of [0, 4, 1.5, NaN, Infinity, "2", null, undefined, 2n, new Date(2)]) {
    expect(refusal(() => requireInteger("n", value, 1, 3), "ERR_AFORO_INVALID_OPTION").message).toContain(
      '"n" must be a whole number from 1 to 3',
    );
  }
  expect(refusal(() => requireInteger("n", 0, 1), "ERR_AFORO_INVALID_OPTION").message).toContain("of at least 1");
});

test("one of several words, and a function, are what they say", () => {
  expect(requireOneOf("mode", "a", ["a", "b"])).toBe("a");
  expect(refusal(() => requireOneOf("mode", "c", ["a", "b"]), "ERR_AFORO_INVALID_OPTION").message).toContain(
    '"a", "b"',
  );
  requireFunction("key", () => "k");
  expect(refusal(() => requireFunction("key", "k"), "ERR_AFORO_INVALID_OPTION").message).toContain(
    '"key" must be a function, got "k" (string)',
  );
});

test("a clock gives whole milliseconds since the epoch, or is refused", () => {
  expect(readClock(() => 5)).toBe(5);
  expect(readClock(() => 5.999)).toBe(5);
  expect(readClock(() => 0)).toBe(0);
  expect(readClock(() => 2 ** 43 - 1)).toBe(2 ** 43 - 1);
  for (const value of [-1, NaN, Infinity, 2 ** 43, undefined, "soon"]) {
    refusal(() => readClock(() => value as number), "ERR_AFORO_INVALID_CLOCK");
  }
});
