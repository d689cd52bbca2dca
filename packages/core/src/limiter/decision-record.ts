import type { Decision, PolicyDecision, Reason, Source } from "../domain/decision.ts";
import type { Check, Reply, Store } from "../domain/store.ts";
import { explainDecision } from "./explain.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";

/** What a {@link DecisionRecord} is made of. */
export interface Verdict {
  readonly allowed: boolean;
  readonly reason: Reason;
  readonly at: number;
  readonly delayMs: number;
  readonly retryAfterMs: number;
  readonly policies: readonly PolicyDecision[];
  readonly binding: PolicyDecision | undefined;
  readonly source: Source;
  readonly compensated: boolean;
}

/** The limiter's {@link Decision}. */
export class DecisionRecord implements Decision {
  readonly allowed: boolean;
  readonly reason: Reason;
  readonly at: number;
  readonly delayMs: number;
  readonly retryAfterMs: number;
  readonly policies: readonly PolicyDecision[];
  readonly binding: PolicyDecision | undefined;
  readonly source: Source;
  readonly compensated: boolean;
  readonly #owner: object;
  #store: Store | undefined;
  #checks: readonly Check[];
  #carried: readonly LedgerEntry[];
  #ledger: Ledger | undefined;

  constructor(
    verdict: Verdict,
    owner: object,
    store: Store | undefined,
    checks: readonly Check[],
    carried: readonly LedgerEntry[],
  ) {
    this.allowed = verdict.allowed;
    this.reason = verdict.reason;
    this.at = verdict.at;
    this.delayMs = verdict.delayMs;
    this.retryAfterMs = verdict.retryAfterMs;
    this.policies = verdict.policies;
    this.binding = verdict.binding;
    this.source = verdict.source;
    this.compensated = verdict.compensated;
    this.#owner = owner;
    this.#store = store;
    this.#checks = checks;
    this.#carried = carried;
    this.#ledger = undefined;
  }

  explain(): string {
    return explainDecision(this);
  }

  /** The ledger of a decision made by `owner`, or `undefined` for anything else. */
  static ledgerOf(decision: unknown, owner: object): Ledger | undefined {
    if (typeof decision !== "object" || decision === null || !(#owner in decision) || decision.#owner !== owner)
      return undefined;
    return (decision.#ledger ??= decision.#openLedger());
  }

  /** Made only when asked for: most decisions are never given back. */
  #openLedger(): Ledger {
    const entries: LedgerEntry[] = [...this.#carried];
    for (const [index, check] of this.#checks.entries()) {
      const receipt = this.policies[index]?.receipt;
      if (receipt !== undefined) entries.push({ check, charge: { cost: check.cost, receipt }, returned: 0, added: 0 });
    }
    return { store: this.#store as Store, asked: this.#checks, entries };
  }
}

/** Reads a store's reply as the answer to one request. */
export function verdictOf(reply: Reply, source: Source): Verdict {
  const { policies } = reply;
  let delayMs = 0;
  let retryAfterMs = 0;
  let blocked = false;
  let binding: PolicyDecision | undefined;
  for (let index = 0; index < policies.length; index++) {
    const policy = policies[index] as PolicyDecision;
    if (policy.shadow) continue;
    if (policy.delayMs > delayMs) delayMs = policy.delayMs;
    if (policy.retryAfterMs > retryAfterMs) retryAfterMs = policy.retryAfterMs;
    if (policy.blockedMs > 0 && !policy.allowed) blocked = true;
    if (
      binding === undefined ||
      (reply.allowed ? share(policy) < share(binding) : policy.retryAfterMs > binding.retryAfterMs)
    )
      binding = policy;
  }
  return {
    allowed: reply.allowed,
    reason: reply.allowed ? "admitted" : blocked ? "blocked" : retryAfterMs === Infinity ? "cost-above-limit" : "quota",
    at: reply.at,
    delayMs: reply.allowed ? delayMs : 0,
    retryAfterMs,
    policies,
    binding,
    source,
    compensated: reply.compensated === true,
  };
}

function share(policy: PolicyDecision): number {
  return policy.capacity === 0 ? 0 : policy.remaining / policy.capacity;
}
