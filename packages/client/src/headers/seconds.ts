/**
 * Reads a non-negative decimal number of seconds (`"2"`, `"299.997"`) as whole milliseconds, rounded up: a wait must
 * not end early. `undefined` for anything else, signs, exponents and units included.
 */
export function parseSeconds(text: string): number | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  // By digits, since 1000 times a decimal fraction is not exact: 1.001 * 1000 is 1000.9999999999999.
  const fraction = match[2] ?? "";
  const milliseconds = Number(match[1]) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
  const rounded = /[1-9]/.test(fraction.slice(3)) ? milliseconds + 1 : milliseconds;
  return Math.min(rounded, Number.MAX_SAFE_INTEGER);
}
