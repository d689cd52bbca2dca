import { AforoError, got } from "../domain/errors.ts";
import { parseDuration } from "../domain/duration.ts";
import type { Decision } from "../domain/decision.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Check, MaybePromise, Reply, Store, SyncStore } from "../domain/store.ts";
import type { Observer, Watch } from "../observe/observer.ts";
import { administer } from "./administer.ts";
import { Corrections } from "./corrections.ts";
import { keepRecord, LimiterDecision, observedRecord } from "./limiter-decision.ts";
import { replaceCharges, type Ledger, type LedgerEntry } from "./ledger.ts";
import { asksOf, costOf, isCost, stateKeyOf } from "./keys.ts";
import type { Ask, Costs, Keys, Limiter, Peek } from "./limiter.ts";
import { explainKey, look, type Look } from "./look.ts";
import { andThen } from "./maybe.ts";
import type { EngineParts } from "./parts.ts";
import type { Answers } from "./pending-call.ts";
import type { Plan } from "./planner.ts";
import { withoutStore } from "./without-store.ts";

const NONE: readonly LedgerEntry[] = [];
const PEEK: Look = { name: "peek", verb: (store, checks, options) => store.peek(checks, options) };
const CHARGE: Look = { name: "charge", verb: (store, checks, options) => store.charge(checks, options) };

/** The limiter. One code for both kinds of store: what a synchronous store answers is never awaited. */
export class Engine<C> implements Limiter<boolean, C> {
  readonly name: string;
  readonly policies: readonly CheckedPolicy<C>[];
  readonly store: Store;
  readonly #parts: EngineParts<C>;
  readonly #observer: Observer<C>;
  readonly #corrections: Corrections<C>;
  /** The numbers of all policies, when none depends on the request. */
  readonly #fixed: readonly ResolvedPolicy[] | undefined;
  /** What most decisions are made by: one for all of them. */
  readonly #unwatched: Answers<Reply, Decision, readonly Check[]>;
  /** The store, when it answers at once and is open: the path that must cost least. */
  #direct: SyncStore | undefined;
  #closing: MaybePromise<void> | undefined;

  constructor(parts: EngineParts<C>) {
    this.name = parts.name;
    this.policies = parts.policies;
    this.store = parts.store;
    this.#parts = parts;
    this.#observer = parts.observer;
    this.#corrections = new Corrections(parts);
    const fixed = parts.policies.map((policy) => policy.fixed);
    this.#fixed = fixed.every((policy) => policy !== undefined) ? fixed : undefined;
    this.#unwatched = this.#answersFor(undefined);
    this.#direct = parts.store.sync ? (parts.store as SyncStore) : undefined;
  }

  consume(keys: Keys, cost: Costs = 1, context?: C, className?: string): MaybePromise<Decision> {
    if (this.#fixed !== undefined && typeof keys === "string" && isCost(cost)) {
      const checks = checksOf(this.#fixed, stateKeyOf(keys), cost);
      if (!this.#observer.silent)
        return this.#consume(checks, undefined, this.#watch(className, context, undefined), true);
      if (this.#direct !== undefined) return this.#decide(this.#direct, checks);
      return this.#consume(checks, undefined, undefined, false);
    }
    return this.consumeEach(asksOf(this.policies, keys, cost), context, undefined, className);
  }

  consumeEach(asks: readonly Ask[], context?: C, patienceMs?: number, className?: string): MaybePromise<Decision> {
    const listened = !this.#observer.silent;
    const watch = listened ? this.#watch(className, context, undefined) : undefined;
    return andThen(this.#parts.planner.plan(asks, context as C), (plan) =>
      plan.refused ? this.#refuse(plan, watch) : this.#consume(plan.checks, patienceMs, watch, listened),
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
    const watch = this.#watch(undefined, context, decision);
    return andThen(this.#parts.planner.plan(asks, context as C, true), (plan) =>
      this.#raisePlanned(ledger, plan, undefined, watch),
    );
  }

  raiseEach(
    decision: Decision,
    asks: readonly Ask[],
    context?: C,
    patienceMs?: number,
    className?: string,
  ): MaybePromise<Decision> {
    const ledger = this.#ledgerOf(decision);
    const watch = this.#watch(className, context, decision);
    return andThen(this.#parts.planner.plan(asks, context as C), (plan) =>
      this.#raisePlanned(ledger, plan, patienceMs, watch),
    );
  }

  peek(keys: Keys, context?: C): MaybePromise<Peek> {
    return look(this.#parts, asksOf(this.policies, keys, 0), context, PEEK);
  }

  charge(keys: Keys, cost: Costs, context?: C): MaybePromise<Peek> {
    const asks = asksOf(this.policies, keys, cost);
    if (!asks.every((ask) => isCost(ask.cost))) {
      this.#corrections.reportCost(cost, "nothing was charged");
      return this.peek(keys, context);
    }
    return look(this.#parts, asks, context, CHARGE);
  }

  refund(decision: Decision, cost?: Costs, context?: C): MaybePromise<void> {
    return this.#corrections.refund(this.#ledgerOf(decision), cost, context);
  }

  settle(decision: Decision, cost: Costs): MaybePromise<void> {
    const ledger = this.#ledgerOf(decision);
    return decision.allowed ? this.#corrections.settle(ledger, cost) : this.#answer(undefined);
  }

  reset(keys: Keys): MaybePromise<void> {
    return administer(this.#parts, keys, { type: "reset", verb: (store, checks) => store.reset(checks) });
  }

  block(keys: Keys, ms: number): MaybePromise<void> {
    const duration = ms === 0 ? 0 : parseDuration("ms", ms);
    return administer(this.#parts, keys, {
      type: "block",
      ms: duration,
      verb: (store, checks) => store.block(checks, duration),
    });
  }

  explain(keys: Keys, context?: C): MaybePromise<string> {
    return explainKey(this.#parts, asksOf(this.policies, keys, 0), context);
  }

  close(): MaybePromise<void> {
    if (this.#closing !== undefined) return this.#closing;
    this.#direct = undefined;
    this.#parts.access.close();
    this.#parts.release();
    return (this.#closing = this.#parts.ownsStore ? this.store.close() : this.#answer(undefined));
  }

  #consume(
    checks: readonly Check[],
    patienceMs: number | undefined,
    watch: Watch<C> | undefined,
    listened: boolean,
  ): MaybePromise<Decision> {
    if (this.#direct !== undefined && watch === undefined)
      return this.#decided(this.#decide(this.#direct, checks), checks, watch);
    const answers = watch === undefined ? this.#unwatched : this.#answersFor(watch);
    return this.#parts.access.consume(checks, answers, patienceMs, listened);
  }

  #answersFor(watch: Watch<C> | undefined): Answers<Reply, Decision, readonly Check[]> {
    return {
      settled: (reply, checks) =>
        this.#decided(new LimiterDecision(reply, reply.source, this, this.store, checks, NONE), checks, watch),
      failed: (_error, checks) => this.#decided(withoutStore(this.#parts, this, checks), checks, watch),
    };
  }

  #decide(store: SyncStore, checks: readonly Check[]): LimiterDecision {
    let reply: Reply;
    try {
      reply = store.consume(checks);
    } catch (error) {
      this.#parts.access.report(error);
      return withoutStore(this.#parts, this, checks);
    }
    return new LimiterDecision(reply, reply.source, this, store, checks, NONE);
  }

  #raisePlanned(
    ledger: Ledger,
    plan: Plan,
    patienceMs: number | undefined,
    watch: Watch<C> | undefined,
  ): MaybePromise<Decision> {
    return plan.refused ? this.#refuse(plan, watch) : this.#raise(ledger, plan.checks, patienceMs, watch);
  }

  #raise(
    ledger: Ledger,
    asked: readonly Check[],
    patienceMs: number | undefined,
    watch: Watch<C> | undefined,
  ): MaybePromise<Decision> {
    const { checks, carried, elsewhere } = replaceCharges(ledger, asked, this.store);
    void this.#corrections.send(ledger.store, elsewhere);
    return this.#parts.access.call<Reply, Decision>(
      "raise",
      (store, options) => store.raise(checks, options),
      (reply) =>
        this.#decided(new LimiterDecision(reply, reply.source, this, this.store, asked, carried), asked, watch),
      () => this.#decided(withoutStore(this.#parts, this, asked), asked, watch),
      patienceMs,
    );
  }

  /** Watches a decision if somebody will be told of it. */
  #watch(className: string | undefined, context: C | undefined, raised: Decision | undefined): Watch<C> | undefined {
    if (this.#observer.silent) return undefined;
    const earlier = raised === undefined ? undefined : (observedRecord(raised) ?? "untold");
    return this.#observer.begin(className, context as C, this.#parts.access.down, earlier);
  }

  /** Tells whoever wants to know. @param asked - what the store would have been asked, where nobody counted. */
  #decided(decision: LimiterDecision, asked: readonly Check[], watch: Watch<C> | undefined): LimiterDecision {
    const observer = this.#observer;
    const counted = LimiterDecision.checksOf(decision);
    if (observer.awaitsNearLimit) observer.nearing(decision, counted);
    if (watch === undefined) return decision;
    const told = counted.length === 0 ? asked : counted;
    const record = observer.decided(decision, told, watch, this.#parts.access.down);
    if (record !== undefined) keepRecord(decision, record);
    return decision;
  }

  /** A policy that could not be planned fails closed. */
  #refuse(plan: Plan, watch: Watch<C> | undefined): MaybePromise<Decision> {
    const unasked = watch === undefined ? undefined : { ...watch, startedAt: undefined };
    return this.#answer(this.#decided(withoutStore(this.#parts, this, [], true), plan.checks, unasked));
  }

  #ledgerOf(decision: unknown): Ledger {
    const ledger = LimiterDecision.ledgerOf(decision, this);
    if (ledger !== undefined) return ledger;
    throw new AforoError(
      "ERR_AFORO_INVALID_DECISION",
      `expected a decision made by limiter "${this.name}", ${got(decision)}`,
    );
  }

  /** What is known at once, as this kind of store answers it. */
  #answer<T>(value: T): MaybePromise<T> {
    return this.store.sync ? value : Promise.resolve(value);
  }
}

/** All policies asked about one key. */
function checksOf(policies: readonly ResolvedPolicy[], stateKey: string, cost: number): readonly Check[] {
  // Arrays that grow reserve room for more; most limiters have one policy.
  if (policies.length === 1) return [{ policy: policies[0] as ResolvedPolicy, stateKey, cost }];
  return policies.map((policy) => ({ policy, stateKey, cost }));
}
