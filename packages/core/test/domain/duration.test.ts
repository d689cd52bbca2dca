import { MAX_DURATION_MS, parseDuration } from "../../src/domain/duration.ts";
import { checkPolicy } from "../../src/domain/policy.ts";
import { refusal } from "./refusal.ts";

const INVALID: readonly unknown[] = [
  "",
  " ",
  "soon",
  "60",
  "60 parsecs",
  "-1s",
  "+1s",
  "1e3 s",
  "1,5 s",
  "1 s 5 ms",
  ".5 s",
  "1. s",
  "0s",
  "0.5ms",
  "0.0001 s",
  "Infinity s",
  "__proto__",
  "constructor",
  "s60",
  "60s\u0000",
  "9".repeat(400) + "s",
  -1,
  0,
  0.5,
  1.5,
  NaN,
  Infinity,
  -Infinity,
  2 ** 41 + 1,
  2 ** 53,
  60_000n,
  null,
  undefined,
  true,
  [60],
  { ms: 60 },
  () => 60,
];

test("A57 all spellings of a minute are the same", () => {
  for (const spelling of [
    "1 minute",
    "60s",
    60_000,
    "60 s",
    "1m",
    "1 min",
    "minute",
    "MINUTE",
    " 60 Seconds ",
    "60000ms",
    "60000 msecs",
    "1.0 m",
  ]) {
    expect(parseDuration("window", spelling)).toBe(60_000);
  }
});

test("every unit has its short and its long names", () => {
  const units = {
    1: ["ms", "msec", "msecs", "millisecond", "milliseconds"],
    1_000: ["s", "sec", "secs", "second", "seconds"],
    60_000: ["m", "min", "mins", "minute", "minutes"],
    3_600_000: ["h", "hr", "hrs", "hour", "hours"],
    86_400_000: ["d", "day", "days"],
    604_800_000: ["w", "week", "weeks"],
  };
  for (const [ms, names] of Object.entries(units)) {
    for (const name of names) {
      expect(parseDuration("window", name)).toBe(Number(ms));
      expect(parseDuration("window", `2${name}`)).toBe(2 * Number(ms));
      expect(parseDuration("window", `3 ${name}`)).toBe(3 * Number(ms));
    }
  }
});

test("A57 fractions are fine where whole milliseconds come out", () => {
  expect(parseDuration("window", "1.5 s")).toBe(1_500);
  expect(parseDuration("window", "1.1s")).toBe(1_100);
  expect(parseDuration("window", "0.001 s")).toBe(1);
  expect(parseDuration("window", "0.1 s")).toBe(100);
  expect(parseDuration("window", "1.001 h")).toBe(3_603_600);
  expect(parseDuration("window", 600_001)).toBe(600_001);
});

test.each(INVALID)("A57 %p is refused, and the option is named", (value) => {
  const { message } = refusal(() => parseDuration("policies[0].window", value), "ERR_AFORO_INVALID_DURATION");
  expect(message).toContain('"policies[0].window"');
  expect(message).toContain("got ");
  expect(message.length).toBeLessThan(300);
});

test("A57 a policy refuses what is no duration when it is made", () => {
  for (const window of INVALID.filter((value) => value !== undefined)) {
    const policy = { name: "p", limit: 5, window: window as number };
    expect(refusal(() => checkPolicy("api", policy, "policies[0]"), "ERR_AFORO_INVALID_DURATION").message).toContain(
      '"policies[0].window"',
    );
  }
});

test("the longest duration is 2^41 ms", () => {
  expect(parseDuration("window", MAX_DURATION_MS)).toBe(2 ** 41);
  expect(parseDuration("window", "25000 days")).toBe(25_000 * 86_400_000);
  refusal(() => parseDuration("window", "26000 days"), "ERR_AFORO_INVALID_DURATION");
});
