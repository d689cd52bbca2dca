import { AforoClientError } from "./errors.ts";

/** Refuses anything but an object whose keys are all known; names the nearest known one. */
export function requireKnownOptions(where: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw invalid(where, "an object", options);
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const nearest = nearestOf(option, known);
    const hint = nearest === undefined ? `known options: ${known.join(", ")}` : `did you mean "${nearest}"?`;
    throw new AforoClientError("ERR_AFORO_CLIENT_UNKNOWN_OPTION", `"${option}" is not an option of ${where}; ${hint}`);
  }
}

export function requireNumber(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && value >= min && value <= max) return value;
  throw invalid(option, `a number from ${min} to ${max}`, value);
}

export function requireInteger(option: string, value: unknown, min: number, max: number): number {
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw invalid(option, `a whole number from ${min} to ${max}`, value);
}

export function requireFunction<T>(option: string, value: T): T {
  if (typeof value === "function") return value;
  throw invalid(option, "a function", value);
}

/** The error for a value that was refused: option, what was expected, what was got. */
export function invalid(option: string, expected: string, value: unknown): AforoClientError {
  const got = `${spell(value)} (${value === null ? "null" : typeof value})`;
  return new AforoClientError("ERR_AFORO_CLIENT_INVALID_OPTION", `"${option}" must be ${expected}, got ${got}`);
}

function spell(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  if (typeof value === "function") return "a function";
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return String(value);
}

/** The known name with the fewest edits, when it is near enough to be what was meant. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const ranked = known
    .map((candidate) => ({ candidate, edits: editDistance(lower, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(2, Math.floor(name.length / 2)) ? best.candidate : undefined;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitute = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
