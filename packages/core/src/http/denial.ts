import type { Decision } from "../domain/decision.ts";
import type { ErrorCode } from "../domain/errors.ts";
import { retryAfterSeconds } from "./headers/seconds.ts";

/** Why a request is rejected, and what its client is told. */
export interface Denial {
  readonly status: 403 | 429 | 503;
  readonly code: ErrorCode;
  /** Problem type (RFC 9457). */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Names of the policies that deny. */
  readonly violated: readonly string[];
  /** Whole seconds; `undefined` when waiting does not help. */
  readonly retryAfter: number | undefined;
}

/** Registered by the draft on RateLimit fields. */
const REGISTRY = "https://iana.org/assignments/http-problem-types#";

/** Clients know it by its ending: waiting is of no use. */
const COST_ABOVE_LIMIT = "urn:aforo:problem:cost-above-limit";

/** The rejection that a decision calls for. */
export function denialOf(decision: Decision): Denial {
  if (decision.reason === "store-unavailable") return unavailable(decision.retryAfterMs, "ERR_AFORO_STORE_UNAVAILABLE");
  const denying = decision.policies.filter((policy) => !policy.allowed && !policy.shadow);
  const violated = [...new Set(denying.map((policy) => policy.name))];
  if (decision.reason === "cost-above-limit") {
    return {
      ...tooMany(violated),
      type: COST_ABOVE_LIMIT,
      detail: "This request costs more than its quota ever holds. It can never be admitted; do not retry it as it is.",
    };
  }
  const type = `${REGISTRY}${decision.reason === "blocked" ? "abnormal-usage-detected" : "quota-exceeded"}`;
  return { ...tooMany(violated, decision.retryAfterMs), type };
}

/** An admitted request that a leaky bucket would hold back for too long. */
export function heldTooLong(policies: readonly string[], ms: number): Denial {
  return tooMany(policies, ms);
}

/** Not the client's fault, so no 429. */
export function unavailable(ms: number, code: "ERR_AFORO_STORE_UNAVAILABLE" | "ERR_AFORO_QUEUE_FULL"): Denial {
  const retryAfter = retryAfterSeconds(ms);
  return {
    status: 503,
    code,
    type: `${REGISTRY}temporary-reduced-capacity`,
    title: "Service Unavailable",
    detail: `The service cannot take this request at the moment. Retry in ${secondsText(retryAfter)}.`,
    violated: [],
    retryAfter,
  };
}

/** A caller on the deny list. */
export const FORBIDDEN: Denial = {
  status: 403,
  code: "ERR_AFORO_RATE_LIMITED",
  type: "about:blank",
  title: "Forbidden",
  detail: "Requests from this caller are not accepted.",
  violated: [],
  retryAfter: undefined,
};

function tooMany(violated: readonly string[], ms?: number): Denial {
  const retryAfter = ms === undefined || ms === Infinity ? undefined : retryAfterSeconds(ms);
  return {
    status: 429,
    code: "ERR_AFORO_RATE_LIMITED",
    type: `${REGISTRY}quota-exceeded`,
    title: "Too Many Requests",
    detail:
      retryAfter === undefined ? "The quota is used up." : `The quota is used up. Retry in ${secondsText(retryAfter)}.`,
    violated,
    retryAfter,
  };
}

function secondsText(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
