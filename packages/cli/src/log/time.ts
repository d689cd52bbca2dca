const NUMBER = /^\d+(?:\.\d+)?$/;
const ISO =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)? ?(?:Z|UTC|(?<sign>[+-])(?<zoneHours>\d\d):?(?<zoneMinutes>\d\d)?)?$/i;
const COMMON =
  /^\[?(?<day>\d\d)\/(?<month>[a-z]{3})\/(?<year>\d{4}):(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))? (?<sign>[+-])(?<zoneHours>\d\d):?(?<zoneMinutes>\d\d)\]?$/i;
const MONTHS: readonly string[] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Milliseconds since the epoch of a stamp as logs write it; `undefined` when it is none.
 *
 * Numbers may count seconds, milliseconds, microseconds or nanoseconds: their size tells, for any
 * time from 1973 to 2248. Text may be such a number, ISO 8601 (without a zone: UTC), or the
 * common log format's `10/Oct/2000:13:55:36 -0700`. Fractions of a millisecond are cut off, as clocks do.
 */
export function parseTime(stamp: unknown): number | undefined {
  if (typeof stamp === "number") return ofNumber(stamp);
  if (typeof stamp !== "string") return undefined;
  const text = stamp.trim();
  if (NUMBER.test(text)) return ofNumber(Number(text));
  const parts = (ISO.exec(text) ?? COMMON.exec(text))?.groups;
  return parts === undefined ? undefined : ofParts(parts);
}

function ofNumber(value: number): number | undefined {
  if (!(value >= 1e8)) return undefined;
  // Seconds with a fraction are not exact in binary: a ten-thousandth of a millisecond decides that 0.57 s are 570 ms.
  if (value < 1e11) return credible(Math.floor(value * 1e3 + 1e-4));
  if (value < 1e14) return credible(Math.floor(value));
  return credible(Math.floor(value < 1e17 ? value / 1e3 : value / 1e6));
}

function ofParts(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const number = (name: string): number => Number(parts[name] ?? 0);
  const month = MONTHS.indexOf(String(parts["month"]).toLowerCase()) + 1 || number("month");
  const [day, hour, minute, second] = [number("day"), number("hour"), number("minute"), number("second")];
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second <= 60))
    return undefined;
  const ms = Number((parts["fraction"] ?? "").slice(0, 3).padEnd(3, "0"));
  const zone = (number("zoneHours") * 60 + number("zoneMinutes")) * (parts["sign"] === "-" ? -60_000 : 60_000);
  return credible(Date.UTC(number("year"), month - 1, day, hour, minute, second, ms) - zone);
}

function credible(ms: number): number | undefined {
  return ms >= 0 && ms < 2 ** 43 ? ms : undefined;
}
