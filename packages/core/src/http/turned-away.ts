import type { Decision, PolicyDecision } from "../domain/decision.ts";

/**
 * An admission that was taken back because it would have waited for too long, as its client is told of it: a denial by
 * the policies that hold it, with nothing charged.
 *
 * @param waitMs - when to come back.
 */
export function turnedAway(
  decision: Decision,
  holding: readonly PolicyDecision[],
  waitMs: number,
  explanation: string,
): Decision {
  const policies = decision.policies.map((policy) =>
    policy.shadow ? policy : { ...uncharged(policy), ...(holding.includes(policy) ? denial(waitMs) : {}) },
  );
  const first = decision.policies.indexOf(holding[0] as PolicyDecision);
  return {
    allowed: false,
    reason: "quota",
    at: decision.at,
    delayMs: 0,
    retryAfterMs: waitMs,
    policies,
    binding: policies[first],
    source: decision.source,
    compensated: decision.compensated,
    explain: () => explanation,
  };
}

function denial(retryAfterMs: number): Pick<PolicyDecision, "allowed" | "retryAfterMs"> {
  return { allowed: false, retryAfterMs };
}

/** As the policy stands once the cost was given back. */
function uncharged(policy: PolicyDecision): PolicyDecision {
  const { algorithm, capacity, cost, limit, resetMs, window } = policy;
  const remaining = Math.min(capacity, policy.remaining + cost);
  const drained = algorithm === "leaky-bucket" ? Math.max(0, resetMs - Math.floor((cost * window) / limit)) : resetMs;
  return { ...policy, remaining, resetMs: remaining === capacity ? 0 : drained, delayMs: 0 };
}
