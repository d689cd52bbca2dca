import { ConfigError, got } from "../domain/errors.ts";
import {
  requireFunction,
  requireInteger,
  requireKnownOptions,
  requireName,
  requireOneOf,
  requireSecret,
} from "../domain/options.ts";
import type { RateLimitOptions } from "./options.ts";
import { requireBoolean } from "./require-boolean.ts";

/** Each option once; the compiler refuses to forget one. */
const OPTIONS = {
  name: true,
  store: true,
  shared: true,
  limit: true,
  window: true,
  algorithm: true,
  burst: true,
  delayAfter: true,
  fallbackLimit: true,
  mode: true,
  policies: true,
  key: true,
  classes: true,
  defaultClass: true,
  classify: true,
  cost: true,
  skip: true,
  allow: true,
  deny: true,
  skipPreflight: true,
  skipNotFound: true,
  headers: true,
  respond: true,
  rejectWith: true,
  settle: true,
  skipSuccessful: true,
  skipFailed: true,
  onStoreError: true,
  storeTimeoutMs: true,
  limitTimeoutMs: true,
  instances: true,
  breakerThreshold: true,
  probeIntervalMs: true,
  secret: true,
  secrets: true,
  hashKeys: true,
  identityTimeoutMs: true,
  maxDelayed: true,
  delayOverflow: true,
  maxDelayMs: true,
  onDecision: true,
  onResponse: true,
  sample: true,
  nearLimit: true,
  onEvent: true,
} as const satisfies Record<keyof RateLimitOptions, true>;

/** The option names of {@link RateLimitOptions}. */
export const RATE_LIMIT_OPTIONS: readonly string[] = Object.keys(OPTIONS);

const FUNCTIONS = ["classify", "cost", "skip", "respond", "settle", "onDecision", "onResponse", "onEvent"] as const;
const BOOLEANS = ["shared", "skipPreflight", "skipNotFound", "skipSuccessful", "skipFailed", "hashKeys"] as const;

/** Options whose values have been checked one by one, with their defaults; what `createLimiter` checks is left to it. */
export interface CheckedOptions {
  readonly name: string;
  readonly rejectWith: "respond" | "throw";
  /** The newest first. */
  readonly secrets: readonly string[];
  readonly identityTimeoutMs: number;
  readonly storeTimeoutMs: number;
  readonly maxDelayed: number;
  readonly delayOverflow: 429 | 503;
  readonly maxDelayMs: number;
}

/** @throws ConfigError naming the option, with the nearest known name for one that is not known. */
export function checkOptions<Raw, Class extends string, Res>(
  options: RateLimitOptions<Raw, Class, Res>,
): CheckedOptions {
  requireKnownOptions("rateLimit", options, RATE_LIMIT_OPTIONS);
  const given = options as RateLimitOptions<Raw, Class, Res>;
  for (const option of FUNCTIONS) if (given[option] !== undefined) requireFunction(option, given[option]);
  for (const option of BOOLEANS) if (given[option] !== undefined) requireBoolean(option, given[option]);
  const afterwards = (["settle", "skipSuccessful", "skipFailed"] as const).filter(
    (option) => given[option] !== undefined && given[option] !== false,
  );
  if (afterwards.length > 1) {
    throw conflict(
      `"${afterwards[0]}" and "${afterwards[1]}" both say what a request costs in the end; "settle" can say all of it`,
    );
  }
  return {
    name: requireName("name", given.name ?? "default"),
    rejectWith: requireOneOf("rejectWith", given.rejectWith ?? "respond", ["respond", "throw"]),
    secrets: checkSecrets(given.secret, given.secrets),
    identityTimeoutMs: requireInteger("identityTimeoutMs", given.identityTimeoutMs ?? 1_000, 1, 60_000),
    storeTimeoutMs: requireInteger("storeTimeoutMs", given.storeTimeoutMs ?? 100, 1, 60_000),
    maxDelayed: requireInteger("maxDelayed", given.maxDelayed ?? 1_000, 0),
    delayOverflow: checkOverflow(given.delayOverflow ?? 503),
    maxDelayMs: requireInteger("maxDelayMs", given.maxDelayMs ?? 60_000, 0, 2 ** 31 - 1),
  };
}

function checkOverflow(status: unknown): 429 | 503 {
  if (status === 429 || status === 503) return status;
  throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"delayOverflow" must be 429 or 503, ${got(status)}`);
}

function checkSecrets(secret: unknown, secrets: unknown): readonly string[] {
  if (secret !== undefined && secrets !== undefined)
    throw conflict(`"secret" and "secrets" exclude each other: the newest is secrets[0]`);
  if (secret !== undefined) return [requireSecret("secret", secret)];
  if (secrets === undefined) return [];
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"secrets" must be an array of at least one secret, ${got(secrets)}`,
    );
  }
  return secrets.map((each, index) => requireSecret(`secrets[${index}]`, each));
}

function conflict(message: string): ConfigError {
  return new ConfigError("ERR_AFORO_CONFLICTING_OPTIONS", message);
}
