import type { Decision, PolicyDecision, Reason, Source } from "../domain/decision.ts";
import type { Check, Reply, Store } from "../domain/store.ts";
import type { DecisionRecord } from "../observe/records.ts";
import { explainDecision } from "./explain.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";

/** What a caller is told to wait when a limiter fails closed: the store is probed more often than that. */
const FAIL_CLOSED_RETRY_MS = 1_000;

/** The limiter's {@link Decision}: a store's reply read as the answer to one request. */
export class LimiterDecision implements Decision {
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
  readonly #store: Store | undefined;
  readonly #checks: readonly Check[];
  readonly #carried: readonly LedgerEntry[];
  #ledger: Ledger | undefined;

  /**
   * @param owner - the limiter, which alone may refund, raise or settle the decision.
   * @param store - the store that charged, if one did.
   * @param carried - charges of an earlier decision that this one keeps.
   */
  constructor(
    reply: Omit<Reply, "source">,
    source: Source,
    owner: object,
    store: Store | undefined,
    checks: readonly Check[],
    carried: readonly LedgerEntry[],
  ) {
    const { policies, allowed } = reply;
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
      if (binding === undefined || bindsTighter(policy, binding, allowed)) binding = policy;
    }
    this.allowed = allowed;
    this.reason = reasonOf(allowed, source, blocked, retryAfterMs);
    this.at = reply.at;
    this.delayMs = allowed ? delayMs : 0;
    this.retryAfterMs = source === "fail-closed" ? FAIL_CLOSED_RETRY_MS : retryAfterMs;
    this.policies = policies;
    this.binding = binding;
    this.source = source;
    this.compensated = reply.compensated === true;
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

  /** What this decision asked, policy by policy; nothing where nobody counted. */
  static checksOf(decision: LimiterDecision): readonly Check[] {
    return decision.#checks;
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

/** What observers were told. Beside the decisions, since hardly any is observed and each field costs all of them. */
const records = new WeakMap<Decision, DecisionRecord>();

/** Remembers what observers were told of a decision. */
export function keepRecord(decision: Decision, record: DecisionRecord): void {
  records.set(decision, record);
}

/** What observers were told of a decision; `undefined` when there were none. */
export function observedRecord(decision: Decision): DecisionRecord | undefined {
  return records.get(decision);
}

function bindsTighter(policy: PolicyDecision, binding: PolicyDecision, allowed: boolean): boolean {
  return allowed ? share(policy) < share(binding) : policy.retryAfterMs > binding.retryAfterMs;
}

function share(policy: PolicyDecision): number {
  return policy.capacity === 0 ? 0 : policy.remaining / policy.capacity;
}

function reasonOf(allowed: boolean, source: Source, blocked: boolean, retryAfterMs: number): Reason {
  if (allowed) return "admitted";
  if (source === "fail-closed") return "store-unavailable";
  if (blocked) return "blocked";
  return retryAfterMs === Infinity ? "cost-above-limit" : "quota";
}
