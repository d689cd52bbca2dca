import type { Decision, PolicyDecision } from "../domain/decision.ts";

/** One or two plain sentences with the numbers that decided. */
export function explainDecision(decision: Decision): string {
  const who = byWhom(decision);
  const binding = decision.binding;
  if (decision.source === "fail-closed")
    return `Rejected: the limiter's store could not decide and this limiter fails closed.`;
  if (decision.source === "fail-open")
    return `Admitted without counting: the limiter's store could not decide and this limiter fails open.`;
  if (binding === undefined) return `Admitted: no enforced policy applied${who}.`;
  if (decision.allowed) {
    const delay = decision.delayMs > 0 ? ` It waits ${duration(decision.delayMs)} for what stands ahead of it.` : "";
    return `Admitted${who}: ${quota(binding)} has ${binding.remaining} of ${binding.capacity} left after a cost of ${binding.cost}.${delay}`;
  }
  const others = decision.policies
    .filter((policy) => !policy.shadow && !policy.allowed && policy !== binding)
    .map((policy) => `"${policy.name}"`);
  const also = others.length === 0 ? "" : ` Denied by ${others.join(", ")} too.`;
  if (decision.reason === "blocked")
    return `Rejected${who}: the key is blocked for another ${duration(decision.retryAfterMs)}.${also}`;
  if (decision.reason === "cost-above-limit") {
    return `Rejected${who}: a cost of ${binding.cost} can never be admitted by ${quota(binding)}, whose capacity is ${binding.capacity}.${also}`;
  }
  return `Rejected${who}: ${quota(binding)} has ${binding.remaining} of ${binding.capacity} left and the request costs ${binding.cost}; the same request would be admitted in ${duration(decision.retryAfterMs)}.${also}`;
}

/** Names a policy by what it promises. */
export function quota(policy: PolicyDecision): string {
  return `policy "${policy.name}" (${policy.limit} per ${duration(policy.window)}, ${policy.algorithm})`;
}

/** Milliseconds as people say them, exact. */
export function duration(ms: number): string {
  if (ms === Infinity) return "ever";
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

function byWhom(decision: Decision): string {
  if (decision.source === "local") return " by this process alone, since the store could not decide";
  return decision.source === "deny-cache" ? " from a denial remembered in this process" : "";
}
