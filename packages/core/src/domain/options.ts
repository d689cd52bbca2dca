import { ConfigError, got } from "./errors.ts";

/** Refuses anything but a plain options object whose keys are all known; names the nearest known one. */
export function requireKnownOptions(
  where: string,
  options: unknown,
  known: readonly string[],
): asserts options is Record<string, unknown> {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `${where} must be an object of options, ${got(options)}`);
  }
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const nearest = nearestOf(option, known);
    const hint = nearest === undefined ? `known options: ${known.join(", ")}` : `did you mean "${nearest}"?`;
    throw new ConfigError("ERR_AFORO_UNKNOWN_OPTION", `${where} has no option "${option}"; ${hint}`);
  }
}

/** Refuses anything but a whole number from `min` to `max`. */
export function requireInteger(
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${option}" must be a whole number ${range}, ${got(value)}`);
}

/** Refuses anything but one of the given values. */
export function requireOneOf<T extends string>(option: string, value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  const nearest = typeof value === "string" ? nearestOf(value, allowed) : undefined;
  const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `"${option}" must be one of ${allowed.map((each) => `"${each}"`).join(", ")}, ${got(value)}${hint}`,
  );
}

/** Refuses anything but a function. */
export function requireFunction(option: string, value: unknown): void {
  if (typeof value !== "function")
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${option}" must be a function, ${got(value)}`);
}

/** Shorter ones can be guessed, and with them what they hash. */
const SHORTEST_SECRET = 16;

/** Refuses anything but a text of at least 16 characters. What was given is not spelt out: it may be most of a secret. */
export function requireSecret(option: string, secret: unknown): string {
  if (typeof secret === "string" && secret.length >= SHORTEST_SECRET) return secret;
  const given = typeof secret === "string" ? `one of ${secret.length}` : typeof secret;
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `"${option}" must be a text of at least ${SHORTEST_SECRET} characters, got ${given}`,
  );
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/**
 * Refuses a name that could not stand in a state key or header as it is. Since names hold no
 * separator, keys made of them are injective without escaping.
 */
export function requireName(option: string, value: unknown): string {
  if (typeof value === "string" && NAME.test(value)) return value;
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `"${option}" must be 1 to 64 letters, digits, "_", "." or "-", beginning with a letter or digit, ${got(value)}`,
  );
}

/** The known word nearest to a misspelt one, or `undefined` when none is near. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
