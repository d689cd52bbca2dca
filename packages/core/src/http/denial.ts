import type { Decision, PolicyDecision, Reason } from "../domain/decision.ts";
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

/** Waits, in seconds, that are kept ready for the same policies and reason. */
const MOST_READY = 1_000;

/** The rejections that decisions call for, each made once: an attack gets the same few over and over. */
export class Denials {
  /** By the names of the policies that deny, then by reason and seconds in one number. */
  readonly #ready = new Map<string, Map<number, Denial>>();

  of(decision: Decision): Denial {
    const violated = namesOfDenying(decision);
    let waits = this.#ready.get(violated);
    if (waits === undefined) this.#ready.set(violated, (waits = new Map()));
    const wait = Math.ceil(decision.retryAfterMs / 1_000) * REASONS.length + REASONS.indexOf(decision.reason);
    let denial = waits.get(wait);
    if (denial === undefined) {
      denial = denialOf(decision, violated === "" ? [] : violated.split(" "));
      if (waits.size >= MOST_READY) waits.clear();
      waits.set(wait, denial);
    }
    return denial;
  }
}

const REASONS: readonly Reason[] = ["quota", "blocked", "store-unavailable", "cost-above-limit", "admitted"];

/** Each once, though a policy counts under two keys while a secret is being rotated. Names hold no blank. */
function namesOfDenying({ policies }: Decision): string {
  let names = "";
  let last = "";
  for (let index = 0; index < policies.length; index++) {
    const { allowed, shadow, name } = policies[index] as PolicyDecision;
    if (allowed || shadow || name === last) continue;
    names = names === "" ? name : `${names} ${name}`;
    last = name;
  }
  return names;
}

function denialOf({ reason, retryAfterMs }: Decision, violated: readonly string[]): Denial {
  if (reason === "store-unavailable") return unavailable(retryAfterMs, "ERR_AFORO_STORE_UNAVAILABLE");
  if (reason === "cost-above-limit") {
    return {
      ...tooMany(violated),
      type: COST_ABOVE_LIMIT,
      detail: "This request costs more than its quota ever holds. It can never be admitted; do not retry it as it is.",
    };
  }
  const type = `${REGISTRY}${reason === "blocked" ? "abnormal-usage-detected" : "quota-exceeded"}`;
  return { ...tooMany(violated, retryAfterMs), type };
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
