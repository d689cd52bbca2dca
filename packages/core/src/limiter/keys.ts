import { createHash } from "node:crypto";
import { MAX_COST } from "../algorithms/algorithm.ts";
import { AforoError, got } from "../domain/errors.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import type { Ask, Costs, Keys } from "./limiter.ts";

/** Longer keys are replaced by their digest, so that state keys are bounded whatever callers send. */
const LONGEST_KEY = 128;

/**
 * The key as it stands in a state key. Digests begin with `#`; a text that does so itself is
 * replaced too, so none can pass for another's digest.
 *
 * @throws {@link AforoError} `ERR_AFORO_INVALID_KEY` for `""` and whatever is no text.
 */
export function stateKeyOf(key: unknown): string {
  if (typeof key !== "string" || key === "") {
    throw new AforoError("ERR_AFORO_INVALID_KEY", `a key must be a text that is not empty, ${got(key)}`);
  }
  if (key.length <= LONGEST_KEY && key.charCodeAt(0) !== 35) return key;
  // UTF-16, since UTF-8 would make all lone surrogates one.
  return `#${createHash("sha256").update(key, "utf16le").digest("base64url")}`;
}

/** Whether a run-time cost can be counted. */
export function isCost(cost: unknown): cost is number {
  return typeof cost === "number" && Number.isInteger(cost) && cost >= 0 && cost <= MAX_COST;
}

/** Spreads keys and costs over the policies that apply. */
export function asksOf(policies: readonly CheckedPolicy<never>[], keys: Keys, costs: Costs): Ask[] {
  const asks: Ask[] = [];
  if (typeof keys !== "string") requireNamesOf(policies, keys, "key");
  if (isRecord(costs)) requireNamesOf(policies, costs, "cost");
  for (let policy = 0; policy < policies.length; policy++) {
    const name = (policies[policy] as CheckedPolicy<never>).name;
    const key = typeof keys === "string" ? keys : ownValue(keys, name);
    if (key === null) continue;
    asks.push({ policy, key: key as string, cost: costOf(costs, name) });
  }
  return asks;
}

/** The cost for one policy; 1 where a record leaves it out. */
export function costOf(costs: Costs, policy: string): number {
  return isRecord(costs) ? (ownValue(costs, policy) ?? 1) : costs;
}

/** Whether costs are given by policy; `{}` names none and is a bad cost like any other value. */
function isRecord(costs: Costs): costs is { readonly [policy: string]: number } {
  return typeof costs === "object" && costs !== null && Object.keys(costs).length > 0;
}

function ownValue<T>(record: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function requireNamesOf(policies: readonly CheckedPolicy<never>[], record: unknown, what: "key" | "cost"): void {
  const code = what === "key" ? "ERR_AFORO_INVALID_KEY" : "ERR_AFORO_INVALID_COST";
  if (typeof record !== "object" || record === null)
    throw new AforoError(code, `${what}s must be one ${what} or one for each policy, ${got(record)}`);
  for (const name of Object.keys(record)) {
    if (policies.some((policy) => policy.name === name)) continue;
    throw new AforoError(
      code,
      `there is no policy ${JSON.stringify(name)} to give a ${what}; policies: ${policies.map((policy) => policy.name).join(", ")}`,
    );
  }
}
