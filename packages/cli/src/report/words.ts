const GROUPED = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** `12,345`. */
export function count(value: number): string {
  return GROUPED.format(value);
}

/** `1 caller`, `12,345 callers`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A share with two digits that mean something: `12 %`, `0.013 %`, `0 %`. */
export function share(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  const percent = (100 * part) / whole;
  // Not all is never shown as all, and not none never as none.
  if (percent > 99.9 && part < whole) return "> 99.9 %";
  return `${percent >= 10 ? Number(percent.toFixed(1)) : Number(percent.toPrecision(2))} %`;
}

const UNITS = [
  [86_400_000, "day", "d"],
  [3_600_000, "hour", "h"],
  [60_000, "minute", "min"],
  [1_000, "second", "s"],
] as const;

/** The window of a rate: `minute`, `15 minutes`, `250 ms`. */
export function windowName(ms: number): string {
  for (const [size, name] of UNITS) {
    if (ms === size) return name;
    if (ms % size === 0) return `${ms / size} ${name}s`;
  }
  return `${ms} ms`;
}

/** A length of time, roughly: `1.5 h`, `12 s`, `250 ms`. */
export function duration(ms: number): string {
  for (const [size, , short] of UNITS)
    if (ms >= size) return `${Number((ms / size).toFixed(ms >= 10 * size ? 0 : 1))} ${short}`;
  return `${Math.round(ms)} ms`;
}

/** `2026-11-24 10:00:00 UTC`; with milliseconds where there are some. */
export function moment(ms: number): string {
  const [date, time] = new Date(ms).toISOString().split("T") as [string, string];
  return `${date} ${time.replace(".000", "").replace("Z", "")} UTC`;
}
