import { policyDecision, type PolicyDecision } from "../domain/decision.ts";
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
    let now = 0;
    let found: (Denial | undefined)[] | undefined;
    for (let i = 0; i < checks.length; i++) {
      const { policy, stateKey, cost } = checks[i] as Check;
      if (policy.shadow) return undefined;
      for (let denial = this.#denials.get(stateKey); denial !== undefined; denial = denial.next) {
        if (denial.policy !== policy || cost < denial.decision.cost) continue;
        now ||= performance.now();
        if (now < denial.until) (found ??= [])[i] = denial;
      }
    }
    return found === undefined ? undefined : replyOf(checks, found, now);
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

function replyOf(checks: readonly Check[], found: readonly (Denial | undefined)[], now: number): Reply {
  let at = 0;
  const policies = checks.map(({ policy, cost }, i) => {
    const denial = found[i];
    if (denial === undefined) {
      // Not asked: that it admits is a guess, that nothing remains is not an overstatement.
      return policyDecision(policy, cost, { ...NOTHING, allowed: true });
    }
    const elapsed = now - denial.receivedAt;
    const { retryAfterMs, resetMs, blockedMs } = denial.decision;
    at = Math.max(at, denial.at + Math.floor(elapsed));
    return policyDecision(policy, cost, {
      ...NOTHING,
      resetMs: Math.max(0, Math.ceil(resetMs - elapsed)),
      // A greater cost than the one that was denied may never fit at all.
      retryAfterMs: cost > policy.capacity ? Infinity : Math.max(1, Math.ceil(retryAfterMs - elapsed)),
      blockedMs: Math.max(0, Math.ceil(blockedMs - elapsed)),
    });
  });
  return { at, allowed: false, policies, source: "deny-cache" };
}

const NOTHING = {
  allowed: false,
  remaining: 0,
  resetMs: 0,
  retryAfterMs: 0,
  delayMs: 0,
  blockedMs: 0,
  receipt: undefined,
};
