import { policyDecisionOf, type PolicyDecision } from "../domain/decision.ts";
import type { Check, Reply } from "../domain/store.ts";

/** A denial remembered, and other policies' denials of the same state key. */
interface Denial {
  readonly decision: PolicyDecision;
  readonly policy: Check["policy"];
  readonly at: number;
  /** `performance.now()`: until then the same policy denies this cost and any greater one. */
  readonly until: number;
  /** `performance.now()` from which its waits count down. */
  readonly receivedAt: number;
  readonly next: Denial | undefined;
}

const MAX_ENTRIES = 10_000;
/** So that a reset or a lifted block elsewhere is felt this soon. */
const MAX_MS = 1_000;

/**
 * Denials that are certain to be repeated, so that what remains of an attack does not reach Redis.
 *
 * Other requests only lengthen a wait, so a denial holds until its wait is over, counted from the moment
 * of sending by a clock that never jumps. Whatever can shorten it from within this process drops it.
 */
export class DenyCache {
  /** By state key. */
  readonly #denials = new Map<string, Denial>();
  /** When each state key was dropped last, in {@link stamp}s: a denial asked for before that is stale when it comes. */
  readonly #drops = new Map<string, number>();
  readonly #held = new Map<string, number>();
  #stamp = 0;
  #forgottenDrops = 0;

  /** Moves on with every drop. */
  get stamp(): number {
    return this.#stamp;
  }

  /** The denial of a request that is certain to be denied. Shadow checks must be asked, so their requests are. */
  find(checks: readonly Check[]): Reply | undefined {
    if (this.#denials.size === 0) return undefined;
    return checks.length === 1 ? this.#findOne(checks[0] as Check) : this.#findAny(checks);
  }

  #findOne(check: Check): Reply | undefined {
    const denial = this.#denialOf(check);
    if (denial === undefined || check.policy.shadow) return undefined;
    const now = performance.now();
    if (now >= denial.until) return undefined;
    const policies = [deniedAgain(check, denial, now)];
    return { at: elapsedAt(denial, now), allowed: false, policies, source: "deny-cache" };
  }

  #findAny(checks: readonly Check[]): Reply | undefined {
    const now = performance.now();
    let at = -1;
    const policies: PolicyDecision[] = [];
    for (const check of checks) {
      if (check.policy.shadow) return undefined;
      const denial = this.#denialOf(check);
      if (denial === undefined || now >= denial.until) {
        policies.push(unasked(check));
      } else {
        policies.push(deniedAgain(check, denial, now));
        at = Math.max(at, elapsedAt(denial, now));
      }
    }
    return at < 0 ? undefined : { at, allowed: false, policies, source: "deny-cache" };
  }

  /** What is known of a check, maybe of the past. */
  #denialOf({ policy, stateKey, cost }: Check): Denial | undefined {
    let denial = this.#denials.get(stateKey);
    while (denial !== undefined && (denial.policy !== policy || cost < denial.decision.cost)) denial = denial.next;
    return denial;
  }

  /** Keeps the denials of an answer, unless something may have shortened them meanwhile. */
  remember(checks: readonly Check[], reply: Reply, stamp: number, sentAt: number): void {
    if (reply.allowed || stamp < this.#forgottenDrops || checks.some(({ policy }) => policy.shadow)) return;
    const receivedAt = performance.now();
    for (const [i, { policy, stateKey }] of checks.entries()) {
      const decision = reply.policies[i] as PolicyDecision;
      if (decision.allowed || this.#held.has(stateKey) || (this.#drops.get(stateKey) ?? 0) > stamp) continue;
      const until = sentAt + Math.min(decision.retryAfterMs, MAX_MS);
      if (until > receivedAt)
        this.#add(stateKey, { decision, policy, at: reply.at, until, receivedAt, next: undefined });
    }
  }

  #add(stateKey: string, denial: Denial): void {
    // What is still in force of other policies stays; with another policy of the same space the limits have changed.
    let next: Denial | undefined;
    for (let other = this.#denials.get(stateKey); other !== undefined; other = other.next) {
      if (other.policy.space !== denial.policy.space && other.until > denial.receivedAt) next = { ...other, next };
    }
    this.#denials.delete(stateKey);
    if (this.#denials.size >= MAX_ENTRIES) this.#denials.delete(this.#denials.keys().next().value as string);
    this.#denials.set(stateKey, { ...denial, next });
  }

  /** Forgets what is known of a state key, and what is on its way. */
  drop(stateKey: string): void {
    this.#stamp++;
    this.#denials.delete(stateKey);
    if (this.#drops.size >= MAX_ENTRIES) {
      this.#drops.clear();
      this.#forgottenDrops = this.#stamp;
    }
    this.#drops.set(stateKey, this.#stamp);
  }

  /** While a charge may still be given back, denials are not kept. Each hold needs a {@link release}. */
  hold(stateKey: string): void {
    this.drop(stateKey);
    this.#held.set(stateKey, (this.#held.get(stateKey) ?? 0) + 1);
  }

  release(stateKey: string): void {
    this.drop(stateKey);
    const holds = (this.#held.get(stateKey) ?? 1) - 1;
    if (holds === 0) this.#held.delete(stateKey);
    else this.#held.set(stateKey, holds);
  }

  clear(): void {
    this.#denials.clear();
    this.#drops.clear();
    this.#forgottenDrops = ++this.#stamp;
  }
}

/** The store's time by now. */
function elapsedAt({ at, receivedAt }: Denial, now: number): number {
  return at + Math.floor(now - receivedAt);
}

/** The same denial, its waits counted down. */
function deniedAgain({ policy, cost }: Check, { decision, receivedAt }: Denial, now: number): PolicyDecision {
  const elapsed = now - receivedAt;
  const resetMs = Math.max(0, Math.ceil(decision.resetMs - elapsed));
  // A greater cost than the one that was denied may never fit at all.
  const retryAfterMs = cost > policy.capacity ? Infinity : Math.max(1, Math.ceil(decision.retryAfterMs - elapsed));
  const blockedMs = Math.max(0, Math.ceil(decision.blockedMs - elapsed));
  return policyDecisionOf(policy, cost, false, 0, resetMs, retryAfterMs, 0, blockedMs, undefined);
}

/** Not asked: that it admits is a guess, that nothing remains is not an overstatement. */
function unasked({ policy, cost }: Check): PolicyDecision {
  return policyDecisionOf(policy, cost, true, 0, 0, 0, 0, 0, undefined);
}
