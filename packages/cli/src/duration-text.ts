const UNITS: ReadonlyMap<string, number> = new Map(
  (
    [
      [1, "ms", "millisecond", "milliseconds"],
      [1_000, "s", "sec", "second", "seconds"],
      [60_000, "m", "min", "minute", "minutes"],
      [3_600_000, "h", "hour", "hours"],
      [86_400_000, "d", "day", "days"],
    ] as const
  ).flatMap(([ms, ...names]) => names.map((name) => [name, ms] as const)),
);

/** Whole milliseconds of `250ms`, `30s`, `5 minutes`, `hour` (one) or `0`; `undefined` for what is no duration. */
export function parseDurationText(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)?\s*([a-z]*)$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, number, unit = ""] = match;
  if (unit === "") return number !== undefined && Number(number) === 0 ? 0 : undefined;
  const ms = UNITS.get(unit.toLowerCase());
  return ms === undefined ? undefined : Math.round(Number(number ?? 1) * ms);
}
