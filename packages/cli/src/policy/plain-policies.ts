import type { Policy } from "@aforo/core";
import type { WrittenOptions } from "./written-options.ts";

/** A policy whose numbers are fixed, and whose key is a specification such as `user,ip`. */
export interface PlainPolicy {
  readonly policy: Policy;
  readonly key: string;
}

const POLICY_OPTIONS = ["limit", "window", "algorithm", "burst", "delayAfter", "mode"];
/** What does not change which requests are admitted in a replay. */
const IRRELEVANT = [
  "name",
  "store",
  "shared",
  "headers",
  "onStoreError",
  "storeTimeoutMs",
  "instances",
  "secret",
  "secrets",
  "hashKeys",
  "onDecision",
  "sample",
  "onEvent",
  "respond",
  "rejectWith",
  "maxDelayed",
];

/** The policies of a file that holds nothing else which decides, such as classes or functions; otherwise `undefined`. */
export function plainPolicies(options: WrittenOptions): readonly PlainPolicy[] | undefined {
  const key = options.key ?? "ip";
  if (options.policies === undefined) {
    const { key: _, ...rest } = options;
    return isPlain(rest, [...POLICY_OPTIONS, ...IRRELEVANT]) && typeof key === "string"
      ? [{ policy: pick(rest, "replay"), key }]
      : undefined;
  }
  const { key: _, policies, ...rest } = options;
  if (!isPlain(rest, IRRELEVANT) || typeof key !== "string" || !Array.isArray(policies)) return undefined;
  const plain = policies.map((policy: WrittenOptions) => {
    const own = policy.key ?? key;
    const { key: __, ...numbers } = policy;
    return isPlain(numbers, [...POLICY_OPTIONS, "name", "onStoreError"]) && typeof own === "string"
      ? { policy: pick(numbers, String(policy["name"])), key: own }
      : undefined;
  });
  return plain.every((policy) => policy !== undefined) ? plain : undefined;
}

function isPlain(options: Readonly<Record<string, unknown>>, known: readonly string[]): boolean {
  return Object.keys(options).every((option) => known.includes(option)) && typeof options["limit"] !== "function";
}

function pick(options: Readonly<Record<string, unknown>>, name: string): Policy {
  const numbers = Object.fromEntries(Object.entries(options).filter(([option]) => POLICY_OPTIONS.includes(option)));
  return { name, ...numbers } as unknown as Policy;
}
