import type { PolicyDecision } from "../domain/decision.ts";

/** Names a policy by what it promises. */
export function quota(policy: PolicyDecision): string {
  return `policy "${policy.name}" (${policy.limit} per ${duration(policy.window)}, ${policy.algorithm})`;
}

/** Milliseconds as people say them, exact. */
export function duration(ms: number): string {
  for (const [unit, size] of [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1_000],
  ] as const) {
    if (ms >= size && ms % size === 0) return `${ms / size} ${unit}${ms === size ? "" : "s"}`;
  }
  return ms >= 1_000 ? `${ms / 1_000} seconds` : `${ms} ms`;
}

/** A moment to the second, rounded up: whoever comes then does not come too early. */
export function moment(ms: number): string {
  return `${new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`;
}

/** At most three decimals. */
export function amount(units: number): string {
  return `${Math.round(units * 1_000) / 1_000}`;
}

/** A share as a percentage with at most one decimal. */
export function percentage(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}

/** What a bucket drains or refills at, for the sentences that name it. */
export function isBucket({ algorithm }: PolicyDecision): boolean {
  return algorithm === "token-bucket" || algorithm === "gcra" || algorithm === "leaky-bucket";
}
