import { parseRate } from "../../src/domain/rate.ts";
import { refusal } from "./refusal.ts";

test.each([
  ["100/minute", 100, 60_000],
  ["100/15m", 100, 900_000],
  ["10 per second", 10, 1_000],
  ["10 PER Second", 10, 1_000],
  ["1/1.5s", 1, 1_500],
  ["0/minute", 0, 60_000],
  ["5 / 100 ms", 5, 100],
  [" 5/day ", 5, 86_400_000],
  [`${2 ** 50}/s`, 2 ** 50, 1_000],
])("%p is a rate", (text, limit, window) => {
  expect(parseRate("limit", text)).toEqual({ limit, window });
});

test.each([
  "",
  "100",
  "100/",
  "/minute",
  "-1/minute",
  "1.5/minute",
  "1e3/minute",
  "100 minute",
  "5per2hours",
  "a hundred/minute",
  `${2 ** 50 + 1}/s`,
  "9".repeat(30) + "/s",
])("%p is no rate, and the option is named", (text) => {
  const { message } = refusal(() => parseRate("policies[0].limit", text), "ERR_AFORO_INVALID_RATE");
  expect(message).toContain('"policies[0].limit" must be a rate such as "100/minute"');
});

test.each(["100/fortnight", "100/0s", "100/-1s", "100//minute", "100/1.0001s"])(
  "%p has no window that can be counted",
  (text) => {
    const { message } = refusal(() => parseRate("limit", text), "ERR_AFORO_INVALID_DURATION");
    expect(message).toContain('"limit"');
  },
);
