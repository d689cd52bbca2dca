import {
  createLimiter,
  type Policy,
  type PolicyDecision,
  type Reply,
  type ResolvedPolicy,
  type SyncStore,
} from "@aforo/core";
import { roomyStore } from "./roomy-store.ts";
import type { Judge, JudgeAnswer, JudgedRequest } from "./judge.ts";

/** A policy, and which of the run's key specifications names whom it counts. */
export interface KeyedPolicy {
  readonly policy: Policy;
  readonly key: number;
}

/**
 * Decides by the limiter's own store, whose clock is the request's time. Asks the store rather than the limiter,
 * which makes a decision's words and headers that nobody reads here: what they decide is the same.
 */
export class StoreJudge implements Judge {
  readonly policies: readonly ResolvedPolicy[];
  readonly #store: SyncStore;
  readonly #keys: readonly number[];
  readonly #checks: { policy: ResolvedPolicy; stateKey: string; cost: number }[];
  #now = 0;
  #reply: Reply | undefined;

  /** @throws ConfigError when a policy is not exactly right. */
  constructor(policies: readonly KeyedPolicy[]) {
    this.#store = roomyStore(() => this.#now);
    const limiter = createLimiter({
      name: "replay",
      store: this.#store,
      policies: policies.map(({ policy }) => policy),
    });
    this.policies = limiter.policies.map(({ fixed }) => fixed as ResolvedPolicy);
    this.#checks = this.policies.map((policy) => ({ policy, stateKey: "", cost: 0 }));
    this.#keys = policies.map(({ key }) => key);
  }

  decide({ time, cost, callers }: JudgedRequest): boolean {
    this.#now = time;
    for (let i = 0; i < this.#checks.length; i++) {
      const check = this.#checks[i] as { stateKey: string; cost: number };
      check.stateKey = stateKeyOf(callers[this.#keys[i] as number] as number);
      check.cost = cost;
    }
    this.#reply = this.#store.consume(this.#checks);
    return this.#reply.allowed;
  }

  answer(): JudgeAnswer {
    const enforced = this.#reply?.policies.filter(({ shadow }) => !shadow) ?? [];
    // As headers do: the longest wait when denied, else what is nearest to its end.
    const rank = ({ retryAfterMs, remaining, capacity }: PolicyDecision): number =>
      retryAfterMs > 0 ? -retryAfterMs : remaining / Math.max(1, capacity);
    const binding = enforced.reduce<PolicyDecision | undefined>(
      (first, each) => (first === undefined || rank(each) < rank(first) ? each : first),
      undefined,
    );
    return {
      capacity: binding?.capacity ?? 0,
      remaining: binding?.remaining ?? 0,
      resetMs: binding?.resetMs ?? 0,
      retryAfterMs: binding?.retryAfterMs ?? 0,
      delayMs: enforced.reduce((longest, { delayMs }) => Math.max(longest, delayMs), 0),
    };
  }
}

/** Two UTF-16 units: the shortest text for a caller's number. */
function stateKeyOf(caller: number): string {
  return String.fromCharCode(caller & 0xffff, caller >>> 16);
}
