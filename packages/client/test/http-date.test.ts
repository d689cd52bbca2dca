import { parseHttpDate } from "../src/index.ts";

const NOW = Date.UTC(2026, 10, 30);

test.each([
  ["Sun, 06 Nov 1994 08:49:37 GMT", Date.UTC(1994, 10, 6, 8, 49, 37)],
  ["Sunday, 06-Nov-94 08:49:37 GMT", Date.UTC(1994, 10, 6, 8, 49, 37)],
  ["Sun Nov  6 08:49:37 1994", Date.UTC(1994, 10, 6, 8, 49, 37)],
  ["thu, 29 feb 2024 23:59:59 gmt", Date.UTC(2024, 1, 29, 23, 59, 59)],
  ["Sat, 31 Dec 2016 23:59:60 GMT", Date.UTC(2017, 0, 1)],
])("%s is an HTTP-date", (text, epoch) => {
  expect(parseHttpDate(text, NOW)).toBe(epoch);
});

test.each([
  ["Friday, 01-Jan-76 00:00:00 GMT", 2076],
  ["Friday, 01-Jan-77 00:00:00 GMT", 1977],
])("the two-digit year of %s is at most fifty years ahead", (text, year) => {
  expect(new Date(parseHttpDate(text, NOW)!).getUTCFullYear()).toBe(year);
});

test.each([
  "",
  "soon",
  "Wed, 99 Foo 2026",
  "Wed, 31 Feb 2026 00:00:00 GMT",
  "Wed, 29 Feb 2023 00:00:00 GMT",
  "Sun, 06 Nov 1994 24:00:00 GMT",
  "Sun, 06 Nov 1994 08:60:00 GMT",
  "Sun, 06 Nov 1994 08:49:37 PST",
  "Sun, 06 Nov 1994 08:49:37",
  "Sun, 6 Nov 1994 08:49:37 GMT",
  "1994-11-06T08:49:37Z",
  "2026",
  "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
])("%j is none", (text) => {
  expect(parseHttpDate(text, NOW)).toBeUndefined();
});
