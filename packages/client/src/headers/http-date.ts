const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const TIME = String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)`;

/** The three spellings of RFC 9110, 5.6.7: IMF-fixdate, RFC 850 and asctime. */
const FORMATS: readonly RegExp[] = [
  new RegExp(String.raw`^[a-z]{3}, (?<day>\d\d) (?<month>[a-z]{3}) (?<year>\d{4}) ${TIME} (?:gmt|utc)$`, "i"),
  new RegExp(String.raw`^[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) ${TIME} (?:gmt|utc)$`, "i"),
  new RegExp(String.raw`^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`, "i"),
];

/**
 * Reads an HTTP-date in any of its three spellings, as epoch milliseconds; `undefined` when it is none.
 *
 * Not left to `Date.parse`, which makes up dates out of many other texts, differently in each engine.
 *
 * @param now - Epoch milliseconds; places the two-digit years of RFC 850 within fifty years of it.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  for (const format of FORMATS) {
    const fields = format.exec(text)?.groups;
    if (fields !== undefined) return toEpoch(fields, now);
  }
  return undefined;
}

function toEpoch(fields: Readonly<Record<string, string | undefined>>, now: number): number | undefined {
  const number = (name: string): number => Number(fields[name]);
  const month = MONTHS.indexOf(fields["month"]?.toLowerCase() ?? "");
  // A leap second is allowed, and read as the first of the next minute.
  if (month < 0 || number("hour") > 23 || number("minute") > 59 || number("second") > 60) return undefined;
  const year = fields["year"]?.length === 2 ? centuryOf(number("year"), now) : number("year");
  const date = new Date(0);
  // Not Date.UTC, which reads the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month, number("day"));
  if (date.getUTCMonth() !== month || date.getUTCDate() !== number("day")) return undefined;
  return date.setUTCHours(number("hour"), number("minute"), number("second"));
}

/** RFC 9110: a two-digit year that looks more than fifty years ahead is the latest past one that ends so. */
function centuryOf(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
