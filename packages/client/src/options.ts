import { AforoClientError } from "./errors.ts";
import type { GiveUpEvent, RetryEvent, UsefulnessQuestion } from "./retry/events.ts";
import { IDEMPOTENT_METHODS, type RetryCause } from "./retry/failure.ts";
import type { RetryBudgetOptions } from "./retry/retry-budget.ts";
import { LONGEST_TIMER_MS, type Sleep } from "./time.ts";
import type { FetchLike } from "./transport/fetch-like.ts";
import { invalid, requireFunction, requireInteger, requireKnownOptions, requireNumber } from "./validate.ts";

/** Options of {@link createFetch}. Every one may be left out. */
export interface CreateFetchOptions<F extends FetchLike = typeof globalThis.fetch> {
  /** The `fetch` that sends. @defaultValue the global one, looked up at each call */
  readonly fetch?: F;
  /** Retries per call after the first attempt, 0 to 100. @defaultValue `3` */
  readonly maxRetries?: number;
  /** The longest single wait, jitter included, in milliseconds, `baseDelayMs` to 2^31 - 1. A stated wait above it ends the call at once. @defaultValue `600_000` */
  readonly maxDelayMs?: number;
  /** Time for the whole call until the final response's headers, waits included, in milliseconds, 1 to 2^31 - 1 or `Infinity`. @defaultValue `900_000` */
  readonly deadlineMs?: number;
  /** The shortest wait before a retry, and the start of the backoff, in milliseconds, 1 to 2^31 - 1. @defaultValue `250` */
  readonly baseDelayMs?: number;
  /** Lengthens a stated wait by a random share of itself, up to this, 0 to 1. The backoff is always jittered. @defaultValue `0.2` */
  readonly jitter?: number;
  /** Methods that are retried. Others than the idempotent ones are so only when the server refused: 429, or 503 with Retry-After. @defaultValue the idempotent ones */
  readonly methods?: readonly string[];
  /** What is retried besides: statuses (400 to 599) and `"network-error"`; idempotent methods only. @defaultValue `[]` */
  readonly retryOn?: readonly RetryCause[];
  /** Whether calls are slowed as the server's quota runs out. @defaultValue `true` */
  readonly pace?: boolean;
  /** Bounds the retries of this client per origin; `false` lifts the bound. @defaultValue `{ share: 0.2, perMinute: 10 }` */
  readonly budget?: RetryBudgetOptions | false;
  /** Told of each retry before its wait. What it throws ends the call; a promise is awaited. */
  readonly onRetry?: (event: RetryEvent) => unknown;
  /** Told when a failed call goes back to the caller untried. What it throws ends the call; a promise is awaited. */
  readonly onGiveUp?: (event: GiveUpEvent) => unknown;
  /** Asked before a wait, and before a request that had to wait; `false` ends the call with `ERR_AFORO_CLIENT_NOT_USEFUL`. */
  readonly isStillUseful?: (question: UsefulnessQuestion) => boolean | Promise<boolean>;
  /** Aborts every call of this client; calls have their own signal as well. */
  readonly signal?: AbortSignal;
  /** For tests: epoch milliseconds. @defaultValue the clocks of the machine */
  readonly clock?: () => number;
  /** For tests: a number from 0 to 1. @defaultValue `Math.random` */
  readonly random?: () => number;
  /** For tests: waits. @defaultValue a timer */
  readonly sleep?: Sleep;
}

/** The options with every default filled in. */
export interface ResolvedOptions {
  readonly fetch: (input: unknown, init: unknown) => Promise<unknown>;
  readonly maxRetries: number;
  readonly maxDelayMs: number;
  readonly deadlineMs: number;
  readonly baseDelayMs: number;
  readonly jitter: number;
  readonly methods: ReadonlySet<string>;
  readonly retryOn: readonly RetryCause[];
  readonly pace: boolean;
  readonly budget: Required<RetryBudgetOptions> | false;
  readonly onRetry: ((event: RetryEvent) => unknown) | undefined;
  readonly onGiveUp: ((event: GiveUpEvent) => unknown) | undefined;
  readonly isStillUseful: ((question: UsefulnessQuestion) => boolean | Promise<boolean>) | undefined;
  readonly signal: AbortSignal | undefined;
  readonly clock: (() => number) | undefined;
  readonly random: () => number;
  readonly sleep: Sleep | undefined;
}

const KNOWN_OPTIONS = `fetch maxRetries maxDelayMs deadlineMs baseDelayMs jitter methods retryOn pace budget
   onRetry onGiveUp isStillUseful signal clock random sleep`.split(/\s+/);

/** Checks every option and fills in the defaults. @throws AforoClientError when one is unknown or has a wrong value */
export function resolveOptions(options: CreateFetchOptions<FetchLike>): ResolvedOptions {
  requireKnownOptions("createFetch", options, KNOWN_OPTIONS);
  const baseDelayMs = requireNumber("baseDelayMs", options.baseDelayMs ?? 250, 1, LONGEST_TIMER_MS);
  const { deadlineMs = 900_000 } = options;
  return {
    fetch: resolveFetch(options.fetch),
    maxRetries: requireInteger("maxRetries", options.maxRetries ?? 3, 0, 100),
    maxDelayMs: requireNumber(
      "maxDelayMs",
      options.maxDelayMs ?? Math.max(600_000, baseDelayMs),
      baseDelayMs,
      LONGEST_TIMER_MS,
    ),
    deadlineMs: deadlineMs === Infinity ? Infinity : requireNumber("deadlineMs", deadlineMs, 1, LONGEST_TIMER_MS),
    baseDelayMs,
    jitter: requireNumber("jitter", options.jitter ?? 0.2, 0, 1),
    methods: resolveMethods(options.methods ?? IDEMPOTENT_METHODS),
    retryOn: resolveRetryOn(options.retryOn ?? []),
    pace: requireBoolean("pace", options.pace ?? true),
    budget: options.budget === false ? false : resolveBudget(options.budget ?? {}),
    onRetry: optionalFunction("onRetry", options.onRetry),
    onGiveUp: optionalFunction("onGiveUp", options.onGiveUp),
    isStillUseful: optionalFunction("isStillUseful", options.isStillUseful),
    signal: resolveSignal(options.signal),
    clock: optionalFunction("clock", options.clock),
    random: requireFunction("random", options.random ?? Math.random),
    sleep: optionalFunction("sleep", options.sleep),
  };
}

function resolveFetch(given: FetchLike | undefined): ResolvedOptions["fetch"] {
  if (given !== undefined) return requireFunction("fetch", given) as unknown as ResolvedOptions["fetch"];
  if (typeof globalThis.fetch !== "function") {
    throw new AforoClientError("ERR_AFORO_CLIENT_NO_FETCH", `there is no global fetch here; give one as "fetch"`);
  }
  // Looked up at each call, so that what instruments or mocks the global one later is seen.
  return (input, init) => globalThis.fetch(input as string, init as RequestInit);
}

function resolveMethods(methods: unknown): ReadonlySet<string> {
  if (!Array.isArray(methods)) throw invalid("methods", "an array of method names", methods);
  return new Set(
    methods.map((method: unknown) => {
      if (typeof method === "string" && /^[!#$%&'*+\-.^`|~\w]+$/.test(method)) return method.toUpperCase();
      throw invalid("methods", "an array of method names", method);
    }),
  );
}

function resolveRetryOn(causes: unknown): readonly RetryCause[] {
  if (!Array.isArray(causes)) throw invalid("retryOn", `an array of statuses and "network-error"`, causes);
  return causes.map((cause: unknown) => {
    if (cause === "network-error") return cause;
    if (Number.isInteger(cause) && (cause as number) >= 400 && (cause as number) <= 599) return cause as number;
    throw invalid("retryOn", `made of statuses from 400 to 599 and "network-error"`, cause);
  });
}

function resolveBudget(budget: RetryBudgetOptions): Required<RetryBudgetOptions> {
  requireKnownOptions("budget", budget, ["share", "perMinute"]);
  return {
    share: requireNumber("budget.share", budget.share ?? 0.2, 0, 1),
    perMinute: requireNumber("budget.perMinute", budget.perMinute ?? 10, 0, 1_000_000),
  };
}

function requireBoolean(option: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw invalid(option, "true or false", value);
}

function optionalFunction<T>(option: string, value: T): T {
  return value === undefined ? value : requireFunction(option, value);
}

function resolveSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || (typeof signal?.addEventListener === "function" && typeof signal.aborted === "boolean"))
    return signal;
  throw invalid("signal", "an AbortSignal", signal);
}
