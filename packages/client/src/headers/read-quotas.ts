import type { HeaderSource } from "./header-source.ts";
import type { Quota, QuotaPolicy } from "./quota.ts";
import { parseRateLimitPolicy } from "./rate-limit-policy.ts";
import { parseRateLimitReset } from "./rate-limit-reset.ts";
import { parseRateLimit } from "./rate-limit.ts";
import { parseSeconds } from "./seconds.ts";
import { serverTime } from "./server-time.ts";

/** Families of separate headers, the standard's own first. */
const FAMILIES = ["ratelimit", "x-ratelimit", "x-rate-limit"];

/**
 * Reads every quota that a response states, from the newest header generation it carries: `RateLimit` (draft-7 to
 * draft-11), else `RateLimit-Remaining` and its sisters (draft-6), else `X-RateLimit-*`, else `X-Rate-Limit-*`.
 *
 * Empty when there is none, when it is malformed, and when the response comes from a cache (`Age` above 0): what it
 * says was true for somebody else. Quotas of anything but requests (bytes, connections) are left out.
 *
 * @param localNow - Epoch milliseconds of the local clock, used where the response has no `Date`.
 */
export function readQuotas(headers: HeaderSource, localNow: number = Date.now()): readonly Quota[] {
  if (isFromCache(headers)) return [];
  const policies = parseRateLimitPolicy(headers.get("ratelimit-policy"));
  const listed = parseRateLimit(headers.get("ratelimit"));
  const quotas = listed.length > 0 ? listed : readSeparate(headers, serverTime(headers, localNow));
  return quotas
    .map((quota) => ({ quota, policy: policyOf(quota, policies) }))
    .flatMap(({ quota, policy }) => {
      if (policy === undefined) return [quota];
      if (policy.unit !== "requests" && policy.unit !== "request") return [];
      return [{ ...quota, limit: quota.limit ?? policy.limit, windowMs: policy.windowMs }];
    });
}

/** Whether a cache answered; a fresh answer has no `Age`, or `Age: 0`. */
export function isFromCache(headers: HeaderSource): boolean {
  return (parseSeconds(headers.get("age")?.trim() ?? "") ?? 0) > 0;
}

function policyOf(quota: Quota, policies: readonly QuotaPolicy[]): QuotaPolicy | undefined {
  // Without names, only the limit can tell which of several policies the numbers are about.
  if (quota.policy === "")
    return policies.find(({ limit }) => limit === quota.limit) ?? (policies.length === 1 ? policies[0] : undefined);
  const named = policies.filter(({ policy }) => policy === quota.policy);
  return named.find(({ partition }) => partition === quota.partition) ?? named[0];
}

function readSeparate(headers: HeaderSource, now: number): readonly Quota[] {
  for (const family of FAMILIES) {
    const remaining = firstInteger(headers.get(`${family}-remaining`));
    if (remaining === undefined) continue;
    const resetMs = parseRateLimitReset(headers.get(`${family}-reset`), now);
    const limit = firstInteger(headers.get(`${family}-limit`));
    return [{ policy: "", partition: undefined, remaining, resetMs, limit, windowMs: undefined }];
  }
  return [];
}

/** `"100"`, and the `"100, 100;w=60"` of early drafts. Negative numbers, which some servers send, are 0. */
function firstInteger(value: string | null): number | undefined {
  const match = /^\s*(-?\d{1,15})\s*(?:[,;].*)?$/.exec(value ?? "");
  return match === null ? undefined : Math.max(0, Number(match[1]));
}
