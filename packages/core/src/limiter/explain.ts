import type { Decision, PolicyDecision } from "../domain/decision.ts";
import { duration, isBucket, moment, percentage, quota } from "./explain-words.ts";

/** One or two plain sentences with the numbers that decided, and one for each shadow that disagrees. */
export function explainDecision(decision: Decision): string {
  return [explainAnswer(decision), ...explainShadows(decision)].join(" ");
}

function explainAnswer(decision: Decision): string {
  const { allowed, binding, reason, source } = decision;
  if (source === "fail-closed")
    return `Rejected: the limiter's store could not decide and this limiter fails closed. It says nothing about the caller's quota.`;
  if (source === "fail-open")
    return `Admitted without counting: the limiter's store could not decide and this limiter fails open.`;
  if (binding === undefined) return `Admitted${byWhom(decision)}: no enforced policy applied.`;
  if (allowed) return explainAdmission(decision, binding);
  if (reason === "blocked") return explainBlock(decision);
  const rejected = `Rejected${byWhom(decision)}`;
  if (reason === "cost-above-limit")
    return `${rejected}: a cost of ${binding.cost} can never be admitted by ${quota(binding)}, whose capacity is ${binding.capacity}${others(decision, binding)}.`;
  return `${rejected}: ${quota(binding)} has ${binding.remaining} of ${binding.capacity} left and the request costs ${binding.cost}${because(binding, decision.at)}${others(decision, binding)}. ${comeBack(decision)}`;
}

function explainAdmission(decision: Decision, binding: PolicyDecision): string {
  const left = `${quota(binding)} has ${binding.remaining} of ${binding.capacity} left after a cost of ${binding.cost}`;
  const whole = binding.resetMs > 0 ? `, and all of it in ${duration(binding.resetMs)}` : "";
  const slowest = decision.policies.find((policy) => !policy.shadow && policy.delayMs === decision.delayMs);
  const delay =
    decision.delayMs > 0 && slowest !== undefined
      ? ` It waits ${duration(decision.delayMs)} for what stands ahead of it in policy "${slowest.name}".`
      : "";
  return `Admitted${byWhom(decision)}: ${left}${whole}.${delay}`;
}

function explainBlock(decision: Decision): string {
  const { at, policies, retryAfterMs } = decision;
  const blocked = policies
    .filter((policy) => !policy.shadow && policy.blockedMs > 0)
    .reduce((longest, policy) => (policy.blockedMs > longest.blockedMs ? policy : longest));
  const until = `for another ${duration(blocked.blockedMs)}, until ${moment(at + blocked.blockedMs)}, whatever is left of ${quota(blocked)}`;
  const longer = retryAfterMs > blocked.blockedMs ? ` ${comeBack(decision)}` : "";
  return `Rejected${byWhom(decision)}: the key is blocked ${until}${others(decision, blocked)}.${longer}`;
}

/** What the numbers come from, as far as the decision alone tells. */
function because(policy: PolicyDecision, at: number): string {
  if (policy.blockedMs > 0) return "";
  if (isBucket(policy)) return debtOf(policy);
  switch (policy.algorithm) {
    case "fixed-window":
      return `; its window ends in ${duration(policy.resetMs)}`;
    case "sliding-window-counter": {
      const weight = weightOf(policy, at);
      return weight === undefined ? "" : `; of the window before, ${percentage(weight)} still counts`;
    }
    default:
      return `; each request counts for ${duration(policy.window)}`;
  }
}

/** Whatever takes longer than a bucket takes to fill was charged beyond its capacity. */
function debtOf({ capacity, limit, window, resetMs }: PolicyDecision): string {
  const owed = (resetMs * limit) / window - capacity;
  return owed >= 1
    ? `; it was charged some ${Math.floor(owed)} beyond its capacity, which have to be repaid first`
    : "";
}

/** The share of the window before that counts, by the store's clock; `undefined` after that clock has stepped back. */
function weightOf({ window, resetMs }: PolicyDecision, at: number): number | undefined {
  const start = Math.floor(at / window) * window;
  // All is faded at the latest when the window after this one ends; later means that another window is current.
  return at + resetMs > start + 2 * window ? undefined : (start + window - at) / window;
}

function comeBack({ at, retryAfterMs }: Decision): string {
  return retryAfterMs === Infinity
    ? "The same request can never be admitted."
    : `The same request would be admitted in ${duration(retryAfterMs)}, at ${moment(at + retryAfterMs)}.`;
}

function others({ policies, compensated }: Decision, but: PolicyDecision): string {
  const denying = policies.filter((policy) => !policy.shadow && !policy.allowed && policy !== but);
  const names = [...new Set(denying.map((policy) => `"${policy.name}"`))].join(", ");
  const also = names === "" ? "" : `; denied by ${names} too`;
  return compensated ? `${also}; what other policies had charged was given back` : also;
}

function explainShadows({ allowed, policies }: Decision): string[] {
  return policies
    .filter((policy) => policy.shadow && policy.allowed !== allowed)
    .map((policy) => `Shadow ${quota(policy)} would have ${allowed ? "rejected" : "admitted"} it.`);
}

function byWhom({ source }: Decision): string {
  if (source === "local") return " by this process alone, since the store could not decide";
  return source === "deny-cache" ? " from a denial remembered in this process" : "";
}
