/**
 * Every error code of the suite and what it says. Codes never change; messages may.
 * The page docs/errors.md and the type {@link ErrorCode} are held equal to this table by a test.
 */
export const ERROR_CODES = {
  ERR_AFORO_UNKNOWN_OPTION: "an option that does not exist was given",
  ERR_AFORO_INVALID_OPTION: "an option has a value of the wrong type or outside its range",
  ERR_AFORO_MISSING_OPTION: "a required option was left out",
  ERR_AFORO_CONFLICTING_OPTIONS: "two options exclude each other",
  ERR_AFORO_INVALID_RATE: "a rate string such as 100/minute could not be read",
  ERR_AFORO_INVALID_DURATION: "a duration is neither whole milliseconds nor a duration string",
  ERR_AFORO_NOT_EXACT: "the policy cannot be counted exactly below 2^53",
  ERR_AFORO_DUPLICATE_NAME: "a limiter, policy or class name is used twice",
  ERR_AFORO_UNKNOWN_CLASS: "a cost class that was not declared",
  ERR_AFORO_COST_ABOVE_LIMIT: "a cost class can never be admitted by one of its policies",
  ERR_AFORO_INVALID_KEY: "a key is not a string",
  ERR_AFORO_INVALID_COST: "a cost is not a whole number from 0 to 2^31",
  ERR_AFORO_INVALID_DECISION: "a decision was not made by this limiter",
  ERR_AFORO_INVALID_CLOCK: "a clock gave something other than milliseconds since the epoch",
  ERR_AFORO_CLOSED: "the limiter or store was closed",
  ERR_AFORO_LIMIT_FUNCTION: "a limit function threw or returned no valid limit",
  ERR_AFORO_STORE_TIMEOUT: "the store did not answer within storeTimeoutMs",
  ERR_AFORO_STORE_UNAVAILABLE: "the store could not be reached or is not ready",
  ERR_AFORO_STORE_REPLY: "the store answered something that cannot be read",
  ERR_AFORO_STORE_PERMISSION: "the store's user lacks a permission",
  ERR_AFORO_STORE_MEMORY: "the store is out of memory",
  ERR_AFORO_QUEUE_FULL: "the shaper's queue is full",
  ERR_AFORO_RATE_LIMITED: "the request was rejected with 429",
} as const;

/** A stable code; compare errors by it, not by `instanceof` (the ESM and CommonJS copies differ). */
export type ErrorCode = keyof typeof ERROR_CODES;

/** Any error of the suite. */
export class AforoError extends Error {
  override readonly name: string = "AforoError";
  /** Stable; one of {@link ERROR_CODES}. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An option is wrong; thrown at construction only. */
export class ConfigError extends AforoError {
  override readonly name: string = "ConfigError";
}

/** The store failed; never says anything about the caller's quota. */
export class StoreError extends AforoError {
  override readonly name: string = "StoreError";
}

/** Spells a value that was refused: `"10" (string)`, `NaN (number)`. */
export function got(value: unknown): string {
  return `got ${spell(value)} (${value === null ? "null" : typeof value})`;
}

function spell(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  if (typeof value === "function") return value.name === "" ? "a function" : `function ${value.name}`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return String(value);
}
