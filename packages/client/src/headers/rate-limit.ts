import type { Quota } from "./quota.ts";
import { parseSeconds } from "./seconds.ts";
import { naturalOf, parseStructuredList, type BareItem, type ListMember } from "./structured-list.ts";

/**
 * Reads a `RateLimit` field: the list of draft-8 to draft-11 (`"acct";r=7;t=19, "ip";r=410`), its proposed renaming
 * (`a` and `w` for `r` and `t`, bare tokens for names), and the dictionary of draft-7
 * (`limit=120, remaining=7, reset=19`).
 *
 * A field with a syntax error gives no quota at all, an item without a valid `r` is left out: that is how the drafts
 * want malformed fields ignored.
 */
export function parseRateLimit(value: string | null | undefined): readonly Quota[] {
  if (value === null || value === undefined) return [];
  if (/^\s*[a-z*][\w.*-]*\s*=/.test(value)) return parseDictionary(value);
  return (parseStructuredList(value) ?? []).flatMap(toQuota);
}

function toQuota({ item, parameters }: ListMember): Quota[] {
  if (item.type !== "string" && item.type !== "token") return [];
  const remaining = naturalOf(parameters.get("r") ?? parameters.get("a"));
  if (remaining === undefined) return [];
  const reset = parameters.has("r") ? parameters.get("t") : parameters.get("w");
  return [
    {
      policy: item.text,
      partition: partitionOf(parameters),
      remaining,
      resetMs: toMs(reset),
      limit: undefined,
      windowMs: undefined,
    },
  ];
}

/** The partition key of a list member, where it has a valid one. */
export function partitionOf(parameters: ReadonlyMap<string, BareItem>): string | undefined {
  const partition = parameters.get("pk");
  return partition?.type === "bytes" ? partition.text : undefined;
}

function toMs(item: BareItem | undefined): number | undefined {
  return item?.type === "integer" || item?.type === "decimal" ? parseSeconds(item.text) : undefined;
}

function parseDictionary(field: string): readonly Quota[] {
  const entries = new Map<string, string>();
  for (const part of field.split(",")) {
    const entry = /^\s*([a-z]+)\s*=\s*(\d{1,15}(?:\.\d+)?)\s*(?:;.*)?$/.exec(part);
    if (entry === null) return [];
    entries.set(entry[1]!, entry[2]!);
  }
  const remaining = entries.get("remaining");
  if (remaining === undefined || remaining.includes(".")) return [];
  const limit = entries.get("limit");
  const reset = entries.get("reset");
  return [
    {
      policy: "",
      partition: undefined,
      remaining: Number(remaining),
      resetMs: reset === undefined ? undefined : parseSeconds(reset),
      limit: limit === undefined || limit.includes(".") ? undefined : Number(limit),
      windowMs: undefined,
    },
  ];
}
