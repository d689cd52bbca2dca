import { AforoError, got } from "../domain/errors.ts";
import { parseDuration } from "../domain/duration.ts";
import type { Decision } from "../domain/decision.ts";
import type { CheckedPolicy, StoreErrorPolicy } from "../domain/policy.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Check, MaybePromise, Refund, Reply, Store } from "../domain/store.ts";
import type { EventListener, EventType } from "../observe/events.ts";
import { DecisionRecord, verdictOf } from "./decision-record.ts";
import { explainStates } from "./explain-state.ts";
import { giveBack, replaceCharges, settleEntry, type Ledger, type LedgerEntry } from "./ledger.ts";
import { asksOf, costOf, isCost, stateKeyOf } from "./keys.ts";
import type { Ask, Costs, Keys, Limiter, Peek } from "./limiter.ts";
import { allOf, andThen } from "./maybe.ts";
import { Planner, type Plan } from "./planner.ts";
import type { StoreAccess } from "./store-access.ts";
import { withoutStore } from "./without-store.ts";

const NONE: readonly LedgerEntry[] = [];

/** What an {@link Engine} is built of; all of it checked by `createLimiter`. */
export interface EngineParts<C> {
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly store: Store;
  readonly access: StoreAccess;
  readonly planner: Planner<C>;
  readonly modeOf: (policy: string) => StoreErrorPolicy;
  readonly emit: EventListener;
  readonly release: () => void;
  readonly ownsStore: boolean;
}

/** The limiter. One code for both kinds of store: what a synchronous store answers is never awaited. */
export class Engine<C> implements Limiter<boolean, C> {
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly store: Store;
  readonly #parts: EngineParts<C>;
  /** The numbers of all policies, when none depends on the request. */
  readonly #fixed: readonly ResolvedPolicy[] | undefined;
  #closing: MaybePromise<void> | undefined;

  constructor(parts: EngineParts<C>) {
    this.name = parts.name;
    this.policies = parts.policies;
    this.store = parts.store;
    this.#parts = parts;
    const fixed = parts.policies.map((policy) => policy.fixed);
    this.#fixed = fixed.every((policy) => policy !== undefined) ? fixed : undefined;
  }

  consume(keys: Keys, cost: Costs = 1, context?: C): MaybePromise<Decision> {
    if (this.#fixed !== undefined && typeof keys === "string" && isCost(cost)) {
      const stateKey = stateKeyOf(keys);
      const checks: Check[] = [];
      for (let index = 0; index < this.#fixed.length; index++)
        checks.push({ policy: this.#fixed[index] as ResolvedPolicy, stateKey, cost });
      return this.#consume(checks, undefined);
    }
    return this.consumeEach(asksOf(this.policies, keys, cost), context);
  }

  consumeEach(asks: readonly Ask[], context?: C, deadline?: number): MaybePromise<Decision> {
    return andThen(this.#parts.planner.plan(asks, context as C), (plan) =>
      plan.refused ? this.#refusal() : this.#consume(plan.checks, deadline),
    );
  }

  raise(decision: Decision, cost: Costs, context?: C): MaybePromise<Decision> {
    const ledger = this.#ledgerOf(decision);
    const policies = this.policies.map((policy) => policy.name);
    const asks = ledger.asked.map(({ policy, stateKey }) => ({
      policy: policies.indexOf(policy.name),
      key: stateKey,
      cost: costOf(cost, policy.name),
    }));
    return andThen(this.#parts.planner.plan(asks, context as C, true), (plan) =>
      this.#raisePlanned(ledger, plan, undefined),
    );
  }

  raiseEach(decision: Decision, asks: readonly Ask[], context?: C, deadline?: number): MaybePromise<Decision> {
    const ledger = this.#ledgerOf(decision);
    return andThen(this.#parts.planner.plan(asks, context as C), (plan) => this.#raisePlanned(ledger, plan, deadline));
  }

  peek(keys: Keys, context?: C): MaybePromise<Peek> {
    return this.#look(asksOf(this.policies, keys, 0), context, (store, checks, options) => store.peek(checks, options));
  }

  charge(keys: Keys, cost: Costs, context?: C): MaybePromise<Peek> {
    const asks = asksOf(this.policies, keys, cost);
    if (!asks.every((ask) => isCost(ask.cost))) {
      this.#event(
        "bad-cost",
        new AforoError(
          "ERR_AFORO_INVALID_COST",
          `nothing was charged: a cost must be a whole number from 0 to 2^31, ${got(cost)}`,
        ),
      );
      return this.peek(keys, context);
    }
    return this.#look(asks, context, (store, checks, options) => store.charge(checks, options));
  }

  refund(decision: Decision, cost?: Costs, context?: C): MaybePromise<void> {
    const ledger = this.#ledgerOf(decision);
    const refunds = ledger.entries.flatMap((entry) => {
      const asked = cost === undefined ? Infinity : this.#usableCost(costOf(cost, entry.check.policy.name));
      return asked === undefined ? [] : giveBack(entry, asked);
    });
    if (context === undefined) return this.#refund(ledger.store, refunds);
    const numbers = refunds.map(({ policy }) => this.#parts.planner.numbersOf(policy.name, context));
    return andThen(allOf(numbers), (current) =>
      this.#refund(
        ledger.store,
        refunds.map((refund, index) => ({ ...refund, policy: current[index] ?? refund.policy })),
      ),
    );
  }

  settle(decision: Decision, cost: Costs): MaybePromise<void> {
    const ledger = this.#ledgerOf(decision);
    if (!decision.allowed) return this.#nothing();
    const settled = ledger.entries.flatMap((entry) => {
      const target = this.#usableCost(costOf(cost, entry.check.policy.name));
      return target === undefined ? [] : [settleEntry(entry, target)];
    });
    const charges = settled.flatMap((entry) => entry.charges);
    const refunds = settled.flatMap((entry) => entry.refunds);
    const charging =
      charges.length === 0
        ? this.#nothing()
        : this.#send(ledger.store, (store, options) => store.charge(charges, options));
    return andThen(charging, () => this.#refund(ledger.store, refunds));
  }

  reset(keys: Keys): MaybePromise<void> {
    return this.#administer(keys, (store, checks) => store.reset(checks));
  }

  block(keys: Keys, ms: number): MaybePromise<void> {
    const duration = ms === 0 ? 0 : parseDuration("ms", ms);
    return this.#administer(keys, (store, checks) => store.block(checks, duration));
  }

  explain(keys: Keys, context?: C): MaybePromise<string> {
    const asks = asksOf(this.policies, keys, 0);
    return andThen(this.#parts.planner.plan(asks, context as C), ({ checks }) =>
      this.#parts.access.call(
        (store, options) =>
          andThen(store.peek(checks, options), (reply) =>
            andThen(store.inspect(checks, options), (states) => ({ reply, states })),
          ),
        ({ reply, states }) => explainStates(reply, states),
        () => `The store of limiter "${this.name}" did not answer, so nothing is known of this key right now.`,
        undefined,
      ),
    );
  }

  close(): MaybePromise<void> {
    if (this.#closing !== undefined) return this.#closing;
    this.#parts.access.close();
    this.#parts.release();
    return (this.#closing = this.#parts.ownsStore ? this.store.close() : this.#nothing());
  }

  #consume(checks: readonly Check[], deadline: number | undefined): MaybePromise<Decision> {
    return this.#parts.access.call<Reply, Decision>(
      (store, options) => store.consume(checks, options),
      (reply) => new DecisionRecord(verdictOf(reply, reply.source), this, this.store, checks, NONE),
      () => withoutStore(this.#parts, this, checks),
      deadline,
    );
  }

  #raisePlanned(ledger: Ledger, plan: Plan, deadline: number | undefined): MaybePromise<Decision> {
    return plan.refused ? this.#refusal() : this.#raise(ledger, plan.checks, deadline);
  }

  #raise(ledger: Ledger, asked: readonly Check[], deadline: number | undefined): MaybePromise<Decision> {
    const { checks, carried, elsewhere } = replaceCharges(ledger, asked, this.store);
    void this.#refund(ledger.store, elsewhere);
    return this.#parts.access.call<Reply, Decision>(
      (store, options) => store.raise(checks, options),
      (reply) => new DecisionRecord(verdictOf(reply, reply.source), this, this.store, asked, carried),
      () => withoutStore(this.#parts, this, asked),
      deadline,
    );
  }

  #look(
    asks: readonly Ask[],
    context: C | undefined,
    verb: (store: Store, checks: readonly Check[], options: { deadline: number } | undefined) => MaybePromise<Reply>,
  ): MaybePromise<Peek> {
    return andThen(this.#parts.planner.plan(asks, context as C), ({ checks }: Plan) =>
      this.#parts.access.call<Reply, Peek>(
        (store, options) => verb(store, checks, options),
        ({ at, policies }) => ({ at, policies }),
        () => {
          const local = this.#parts.access.local();
          const counted = checks.filter((check) => this.#parts.modeOf(check.policy.name) === "local");
          if (local === undefined || counted.length === 0) return { at: Date.now(), policies: [] };
          const { at, policies } = verb(
            local,
            counted.map((check) => this.#parts.access.localCheck(check)),
            undefined,
          ) as Reply;
          return { at, policies };
        },
        undefined,
      ),
    );
  }

  #administer(keys: Keys, verb: (store: Store, checks: readonly Check[]) => MaybePromise<void>): MaybePromise<void> {
    // A limit function may have given several windows; each has a state of its own.
    const checks = asksOf(this.policies, keys, 0).flatMap(({ policy, key }) => {
      const stateKey = stateKeyOf(key);
      return (this.policies[policy] as CheckedPolicy<C>)
        .known()
        .map((resolved) => ({ policy: resolved, stateKey, cost: 0 }));
    });
    const { access } = this.#parts;
    if (!this.store.sync) {
      const local = access.local();
      if (local !== undefined)
        void verb(
          local,
          checks.map((check) => access.localCheck(check)),
        );
    }
    return access.call<void, void>(
      (store) => verb(store, checks),
      () => undefined,
      (error) => {
        throw error;
      },
      undefined,
    );
  }

  #refund(store: Store, refunds: readonly Refund[]): MaybePromise<void> {
    return refunds.length === 0
      ? this.#nothing()
      : this.#send(store, (target, options) => target.refund(refunds, options));
  }

  /** To the store that charged; a failure is an event, and the quota comes back with the window. */
  #send(
    store: Store,
    verb: (store: Store, options: { deadline: number } | undefined) => MaybePromise<unknown>,
  ): MaybePromise<void> {
    if (store !== this.store) return void verb(store, undefined);
    return this.#parts.access.call<unknown, void>(
      verb,
      () => undefined,
      () => undefined,
      undefined,
    );
  }

  #refusal(): Decision {
    return withoutStore(this.#parts, this, [], true);
  }

  #usableCost(cost: unknown): number | undefined {
    if (isCost(cost)) return cost;
    this.#event(
      "bad-cost",
      new AforoError(
        "ERR_AFORO_INVALID_COST",
        `the charge stays: a cost must be a whole number from 0 to 2^31, ${got(cost)}`,
      ),
    );
    return undefined;
  }

  #ledgerOf(decision: unknown): Ledger {
    const ledger = DecisionRecord.ledgerOf(decision, this);
    if (ledger !== undefined) return ledger;
    throw new AforoError(
      "ERR_AFORO_INVALID_DECISION",
      `expected a decision made by limiter "${this.name}", ${got(decision)}`,
    );
  }

  #event(type: EventType, error: unknown): void {
    this.#parts.emit({ type, limiter: this.name, error });
  }

  #nothing(): MaybePromise<void> {
    return this.store.sync ? undefined : Promise.resolve();
  }
}
