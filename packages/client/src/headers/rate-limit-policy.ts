import type { QuotaPolicy } from "./quota.ts";
import { partitionOf } from "./rate-limit.ts";
import { naturalOf, parseStructuredList, type ListMember } from "./structured-list.ts";

/**
 * Reads a `RateLimit-Policy` field: `"acct";q=120;w=60` of draft-8 to draft-11, `120;w=60` of the drafts before.
 * Malformed fields and items are ignored, as in {@link parseRateLimit}.
 */
export function parseRateLimitPolicy(value: string | null | undefined): readonly QuotaPolicy[] {
  if (value === null || value === undefined) return [];
  return (parseStructuredList(value) ?? []).flatMap(toPolicy);
}

function toPolicy({ item, parameters }: ListMember): QuotaPolicy[] {
  const named = item.type === "string" || item.type === "token";
  const limit = named ? naturalOf(parameters.get("q")) : naturalOf(item);
  const window = naturalOf(parameters.get("w"));
  if (limit === undefined || window === 0) return [];
  return [
    {
      policy: named ? item.text : "",
      partition: partitionOf(parameters),
      limit,
      windowMs: window === undefined ? undefined : window * 1000,
      unit: parameters.get("qu")?.text ?? "requests",
    },
  ];
}
