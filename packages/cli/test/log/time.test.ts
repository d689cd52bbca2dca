import fc from "fast-check";
import { parseTime } from "../../src/log/time.ts";

const NOON = Date.UTC(2026, 10, 24, 12, 0, 0);

describe("a time", () => {
  test.each([
    [NOON / 1_000, NOON],
    [NOON / 1_000 + 0.57, NOON + 570],
    [NOON, NOON],
    [NOON + 0.9, NOON],
    [NOON * 1_000, NOON],
    [NOON * 1_000_000, NOON],
    [String(NOON), NOON],
    [`${NOON / 1_000}.123`, NOON + 123],
    ["2026-11-24T12:00:00Z", NOON],
    ["2026-11-24 12:00:00", NOON],
    ["2026-11-24T12:00", NOON],
    ["2026-11-24T12:00:00,123 UTC", NOON + 123],
    ["2026-11-24T14:00:00.123456+02:00", NOON + 123],
    ["2026-11-24T06:30:00-0530", NOON],
    ["2026-11-24T14:00:00+02", NOON],
    ["24/Nov/2026:07:00:00 -0500", NOON],
    ["[24/nov/2026:12:00:00.5 +0000]", NOON + 500],
  ])("reads %p", (stamp, ms) => {
    expect(parseTime(stamp)).toBe(ms);
  });

  test.each([
    "",
    "now",
    "2026-13-01T00:00:00Z",
    "2026-11-24T24:00:00Z",
    "2026-11-24",
    "24/Foo/2026:07:00:00 -0500",
    "1e9",
    "-1796000000",
    NaN,
    Infinity,
    -1,
    0,
    12_345,
    null,
    undefined,
    {},
    true,
  ])("does not take %p for one", (stamp) => {
    expect(parseTime(stamp)).toBeUndefined();
  });

  test("property: ISO 8601 in any zone is the moment that it names", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10 ** 11, max: 2 ** 42 }), fc.integer({ min: -840, max: 840 }), (ms, zone) => {
        const local = new Date(ms + zone * 60_000).toISOString().slice(0, -1);
        const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60];
        const text = `${local}${zone < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}`;
        expect(parseTime(text)).toBe(ms);
      }),
    );
  });
});
