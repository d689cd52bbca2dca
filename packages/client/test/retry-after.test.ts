import { parseRateLimitReset, parseRetryAfter, serverTime } from "../src/index.ts";
import { EPOCH } from "./support/virtual-time.ts";

const later = (ms: number): string => new Date(EPOCH + ms).toUTCString();

test.each([
  ["0", 0],
  ["2", 2000],
  [" 2 ", 2000],
  ["299.997", 299_997],
  ["1.001", 1001],
  ["0.0001", 1],
  ["2.0", 2000],
  ["2.0000", 2000],
  ["00120", 120_000],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
])("Retry-After %j is a wait of %d ms", (value, ms) => {
  expect(parseRetryAfter(value, EPOCH)).toBe(ms);
});

test.each([
  null,
  undefined,
  "",
  " ",
  "soon",
  "12abc",
  "-5",
  "+5",
  "1e3",
  "0x10",
  "5s",
  "1,2",
  "2, 5",
  ".5",
  "5.",
  "Infinity",
  "NaN",
  "٣",
])("Retry-After %j says nothing", (value) => {
  expect(parseRetryAfter(value, EPOCH)).toBeUndefined();
});

test("a date counts from the server's own clock, so skew does not matter", () => {
  const headers = new Headers({ date: later(-3_600_000), "retry-after": later(-3_600_000 + 30_000) });
  expect(parseRetryAfter(headers.get("retry-after"), serverTime(headers, EPOCH))).toBe(30_000);
});

test.each(["", "garbage", "Wed, 99 Foo 2026"])("without a valid Date (%j) it counts from the local clock", (date) => {
  expect(serverTime(new Headers({ date }), EPOCH)).toBe(EPOCH);
});

test("a date that has passed is a wait of 0", () => {
  expect(parseRetryAfter(later(-1000), EPOCH)).toBe(0);
});

test.each([
  ["30", 30_000],
  ["0", 0],
  ["0.25", 250],
  [String(EPOCH / 1000 + 30), 30_000],
  [String(EPOCH / 1000 + 30.5), 30_500],
  [String(EPOCH + 30_000), 30_000],
  [String(EPOCH / 1000 - 30), 0],
  [new Date(EPOCH + 30_000).toISOString(), 30_000],
  ["2023-11-14T01:00:30+01:00", 30_000],
  ["2023-11-14T00:01Z", 60_000],
  [later(30_000), 30_000],
])("reset %j is %d ms away, whatever its author meant by it", (value, ms) => {
  expect(parseRateLimitReset(value, EPOCH)).toBe(ms);
});

test.each([null, undefined, "", "later", "-1", "1e9", "9".repeat(20), "2023-11-14", "2023-11-14T25:00:00Z"])(
  "reset %j says nothing",
  (value) => {
    expect(parseRateLimitReset(value, EPOCH)).toBeUndefined();
  },
);
