import type { Decision, PolicyDecision } from "../domain/decision.ts";
import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { Limiter } from "../limiter/limiter.ts";
import { andThen, isPromise } from "../limiter/maybe.ts";
import { Answers } from "./answers.ts";
import { Charges, mergedEntries } from "./charges.ts";
import type { ClassPlan, PlanEntry } from "./class-table.ts";
import { Classifier } from "./classifier.ts";
import { Denials, FORBIDDEN, heldTooLong, unavailable } from "./denial.ts";
import type { GateAnswer, Gates } from "./gates.ts";
import { HandLimiter } from "./hand-limiter.ts";
import type { HeaderSettings } from "./headers/settings.ts";
import type { HttpLimiter } from "./http-limiter.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import type { ClassOptions } from "./options.ts";
import { GO, STOP, type Outcome } from "./outcome.ts";
import type { RequestHandle } from "./request-handle.ts";
import type { ResponsePort } from "./response-port.ts";
import { runSettlement } from "./settlement.ts";
import { turnedAway } from "./turned-away.ts";
import { openVisit, visitOf, type Visit, type VisitOwner } from "./visit.ts";
import { carrierOf } from "./visits.ts";

/** Meets requests: the order in which everything happens to one. */
export class Meetings<Raw, Class extends string, Res> implements HttpLimiter<Raw, Class, Res>, VisitOwner {
  readonly name: string;
  readonly headers: HeaderSettings;
  readonly limiter: Limiter<boolean, RequestView<Raw>>;
  readonly #parts: LimiterParts<Raw>;
  readonly #gates: Gates<Raw> | undefined;
  readonly #classifier: Classifier<Raw>;
  readonly #charges: Charges<Raw>;
  readonly #answers: Answers<Raw, unknown>;
  readonly #denials = new Denials();

  constructor(parts: LimiterParts<Raw, Class, Res>) {
    this.#parts = parts as unknown as LimiterParts<Raw>;
    this.name = parts.checked.name;
    this.headers = parts.headers;
    this.limiter = new HandLimiter(
      () => parts.declared.limiter,
      parts.hasher,
      () => parts.delays.releaseAll(),
    );
    this.#gates = parts.gates;
    this.#classifier = new Classifier(this.#parts);
    this.#charges = new Charges(this.#parts);
    this.#answers = new Answers(this.#parts);
  }

  meet(view: RequestView<Raw>, port: ResponsePort<Res>, className?: string): MaybePromise<Outcome> {
    const carrier = carrierOf<Visit>(view.raw);
    const visit = visitOf(carrier, this);
    if (visit !== undefined) {
      const { outcome } = visit;
      if (isPromise(outcome)) return outcome.then(() => this.meet(view, port, className));
      return remembered(
        visit,
        outcome === undefined ? this.#again(visit, view, port, className) : port.closed ? STOP : outcome,
      );
    }
    const opened = openVisit(this, view, port, carrier);
    return remembered(opened, this.#first(opened, className));
  }

  requireClass(className: unknown, where: string): Class {
    return this.#parts.declared.classes.require(className, where) as Class;
  }

  defineClass(options: ClassOptions<Raw>, where: string): string {
    return this.#parts.declared.define(options, where);
  }

  handleOf(raw: Raw): RequestHandle | undefined {
    return visitOf(carrierOf<Visit>(raw), this);
  }

  close(): MaybePromise<void> {
    this.#parts.delays.releaseAll();
    return this.#parts.declared.close();
  }

  charge(visit: Visit, cost: number): MaybePromise<void> {
    return this.#charges.take(visit, cost);
  }

  partitionOf(visit: Visit, policy: string): string | undefined {
    const { partitionKeys } = this.#parts;
    if (partitionKeys === undefined) return undefined;
    const key = this.#keyOf(visit, policy);
    return key === undefined ? undefined : partitionKeys(policy, key);
  }

  /** What a policy counted a visit by. */
  #keyOf({ entries, keys }: Visit, policy: string): string | undefined {
    const { limiter } = this.#parts.declared;
    const entry = entries.find((each) => limiter.policies[each.policy]?.name === policy);
    return entry === undefined ? undefined : keys[entry.source];
  }

  /** Names the schedule of a policy and a key; names of policies hold no blank. */
  #laneOf(visit: Visit, policy: string): string | undefined {
    const key = this.#keyOf(visit, policy);
    return key === undefined ? undefined : `${policy} ${key}`;
  }

  #first(visit: Visit, className: string | undefined): MaybePromise<Outcome> {
    if (this.#gates === undefined) return this.#classify(visit, className);
    return andThen(
      this.#gates.answer(visit.view as RequestView<Raw>),
      (answer) => this.#gated(visit, answer) ?? this.#classify(visit, className),
    );
  }

  #again(
    visit: Visit,
    view: RequestView<Raw>,
    port: ResponsePort,
    className: string | undefined,
  ): MaybePromise<Outcome> {
    visit.view = view;
    visit.port = port;
    if (visit.skipped || (className === undefined && !this.#classifier.learns)) return GO;
    return andThen(this.#classifier.planOf(view, className), (plan) => {
      const entries = mergedEntries(visit.entries, plan.entries);
      return entries === undefined ? GO : this.#charge(visit, plan, entries);
    });
  }

  /** What to do when a gate decides; `undefined` when the request is to be counted. */
  #gated(visit: Visit, answer: GateAnswer): MaybePromise<Outcome> | undefined {
    if (answer === "count") return undefined;
    if (answer === "deny") return this.#answers.reject(visit, FORBIDDEN);
    visit.skipped = true;
    return GO;
  }

  // From here on each step asks whether it got a promise, since a closure for each would cost as much as the counting.

  #classify(visit: Visit, className: string | undefined): MaybePromise<Outcome> {
    const plan = this.#classifier.planOfRoute(className);
    if (plan !== undefined) return this.#charge(visit, plan, plan.entries);
    const view = visit.view as RequestView<Raw>;
    return andThen(this.#classifier.planOf(view, className), (found) =>
      andThen(this.#classifier.priced(found, view), (priced) => this.#charge(visit, priced, priced.entries)),
    );
  }

  #charge(visit: Visit, plan: ClassPlan, entries: readonly PlanEntry[]): MaybePromise<Outcome> {
    if (!(plan.cost < visit.cost)) {
      visit.class = plan.name;
      visit.cost = plan.cost;
    }
    const learning = this.#charges.learnKeys(visit, entries);
    return learning === undefined
      ? this.#decide(visit, plan, entries)
      : learning.then(() => this.#decide(visit, plan, entries));
  }

  #decide(visit: Visit, plan: ClassPlan, entries: readonly PlanEntry[]): MaybePromise<Outcome> {
    const gated = this.#gates?.asksKeys === true ? this.#gated(visit, this.#gates.answerKeys(visit.keys)) : undefined;
    if (gated !== undefined) return gated;
    const limiter = this.#parts.declared.serve();
    if (limiter === undefined || entries.length === 0) return GO;
    visit.entries = entries;
    const decision = this.#charges.decide(visit, plan, limiter);
    if (!("then" in decision)) return this.#decided(visit, decision);
    return decision.then((made) => {
      visit.answered();
      return this.#decided(visit, made);
    });
  }

  #decided(visit: Visit, decision: Decision): MaybePromise<Outcome> {
    visit.decision = decision;
    if (this.#parts.reports.awaited) this.#parts.reports.watch(visit);
    if (!decision.allowed) return this.#answers.reject(visit, this.#denials.of(decision));
    if (decision.delayMs > 0) return this.#hold(visit, decision);
    this.#watch(visit);
    return this.#answers.admit(visit);
  }

  /** Waits out what a leaky bucket says, within bounds: whoever is not let wait gets the charge back. */
  #hold(visit: Visit, { delayMs, policies }: Decision): MaybePromise<Outcome> {
    const { maxDelayMs, delayOverflow } = this.#parts.checked;
    const holding = policies.filter((policy) => !policy.shadow && policy.delayMs > 0);
    if (delayMs > maxDelayMs) {
      const slow = holding.filter((policy) => policy.delayMs > maxDelayMs);
      return this.#turnAway(visit, slow, delayMs - maxDelayMs, 429);
    }
    const [only, another] = holding;
    const cost = only?.cost ?? 1;
    const lane = only === undefined || another !== undefined ? undefined : this.#laneOf(visit, only.name);
    const held = this.#parts.delays.hold({ ms: delayMs, cost, lane }, visit.port);
    if (held === undefined) return this.#turnAway(visit, holding, delayMs, delayOverflow);
    this.#watch(visit);
    return held.then((goesOn) => (goesOn ? this.#answers.admit(visit) : STOP));
  }

  #turnAway(
    visit: Visit,
    holding: readonly PolicyDecision[],
    waitMs: number,
    status: 429 | 503,
  ): MaybePromise<Outcome> {
    this.#charges.giveBack(visit);
    const names = holding.map((policy) => policy.name);
    const denial = status === 429 ? heldTooLong(names, waitMs) : unavailable(waitMs, "ERR_AFORO_QUEUE_FULL");
    visit.turnedAway = turnedAway(visit.decision as Decision, holding, waitMs, denial.detail);
    return this.#answers.reject(visit, denial);
  }

  #watch(visit: Visit): void {
    const { settlement } = this.#parts;
    if (settlement === undefined || visit.watched) return;
    visit.watched = true;
    const { port } = visit;
    port.onEnd((status, aborted) => {
      const settle = (cost: number | undefined): void => {
        if (cost !== undefined) void this.#charges.settle(visit, cost);
      };
      const response = { status, aborted, raw: port.response };
      runSettlement(settlement, response, visit.view, settle, (error) => this.#parts.event("settle-failed", error));
    });
  }
}

/** Keeps the outcome on the visit while it is being made, and for good when the request does not go on. */
function remembered(visit: Visit, outcome: MaybePromise<Outcome>): MaybePromise<Outcome> {
  if (outcome === GO) return GO;
  if (!isPromise(outcome)) {
    visit.outcome = outcome;
    return outcome;
  }
  return (visit.outcome = outcome.then((made) => {
    visit.outcome = made === GO ? undefined : made;
    return made;
  }));
}
