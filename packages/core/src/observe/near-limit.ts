import type { Decision, PolicyDecision } from "../domain/decision.ts";
import type { Check } from "../domain/store.ts";

/** Keys remembered at once as having been told of. */
const REMEMBERED = 1_024;

/** Whether what is used reaches `ratio` of the capacity. A policy that admits nothing is not near its limit. */
export function isNear({ capacity, remaining }: PolicyDecision, ratio: number): boolean {
  return capacity > 0 && capacity - remaining >= ratio * capacity;
}

/**
 * Notices keys on their way to a limit: when an admitted request takes a policy's use past the ratio and still leaves
 * something, once for each key and window. At the limit itself denials say all. Keeps nothing of keys that stay below.
 */
export class NearLimit {
  readonly #ratio: number;
  /** Until when a key counts as told of, by state; oldest first. */
  readonly #told = new Map<string, number>();

  constructor(ratio: number) {
    this.#ratio = ratio;
  }

  /** The first enforced policy that this decision took past the ratio, and its check. */
  crossed(decision: Decision, checks: readonly Check[]): { policy: PolicyDecision; check: Check } | undefined {
    if (!decision.allowed) return undefined;
    for (let index = 0; index < decision.policies.length; index++) {
      const policy = decision.policies[index] as PolicyDecision;
      if (policy.shadow || !this.#isCrossing(policy)) continue;
      const check = checks[index] as Check;
      if (this.#isNews(check, policy, decision.at)) return { policy, check };
    }
    return undefined;
  }

  #isCrossing(policy: PolicyDecision): boolean {
    if (policy.cost === 0 || policy.remaining === 0 || !isNear(policy, this.#ratio)) return false;
    const before = policy.capacity - policy.remaining - policy.cost;
    return before < this.#ratio * policy.capacity;
  }

  /** What drains while it is used crosses the ratio with every request; one event says as much. */
  #isNews({ policy: { space }, stateKey }: Check, { window }: PolicyDecision, now: number): boolean {
    const state = space + stateKey;
    const until = this.#told.get(state);
    if (until !== undefined && now < until) return false;
    this.#told.delete(state);
    if (this.#told.size >= REMEMBERED) this.#told.delete(this.#told.keys().next().value as string);
    this.#told.set(state, now + window);
    return true;
  }
}
