import type { Decision } from "../domain/decision.ts";
import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { PlanEntry } from "./class-table.ts";
import type { HeaderSettings } from "./headers/settings.ts";
import type { Outcome } from "./outcome.ts";
import type { RequestHandle } from "./request-handle.ts";
import type { ResponsePort } from "./response-port.ts";
import { carrierOf, VISITS, type Carrier } from "./visits.ts";

/** What a visit needs of the limiter that it belongs to. */
export interface VisitOwner {
  readonly name: string;
  readonly headers: HeaderSettings;
  charge(visit: Visit, cost: number): MaybePromise<void>;
  partitionOf(visit: Visit, policy: string): string | undefined;
}

/** What one limiter made of one request; also what handlers see of it. */
export class Visit implements RequestHandle {
  readonly owner: VisitOwner;
  /** As the latest meeting gave it. */
  view: RequestView;
  /** The response of the latest meeting. */
  port: ResponsePort;
  /** What another limiter made of this request before. */
  next: Visit | undefined;
  /** What another limiter made of it since. */
  newer: Visit | undefined = undefined;
  decision: Decision | undefined = undefined;
  /** What is told instead, where the decision was taken back. */
  turnedAway: Decision | undefined = undefined;
  skipped = false;
  class: string | undefined = undefined;
  cost = 0;
  /** What was asked, policy by policy. */
  entries: readonly PlanEntry[] = [];
  /** Keys by key source, once they are known. */
  readonly keys: (string | undefined)[] = [undefined];
  /** The answer while it is being made, and for good once it is no "go". */
  outcome: MaybePromise<Outcome> | undefined = undefined;
  /** Ms that this request spent waiting for stores. */
  waitedMs = 0;
  /** `performance.now()` when a store was asked last. */
  askedAt = 0;
  /** Whether the end of the response is being watched. */
  watched = false;
  /** Whether the end of the response will be told of. */
  reported = false;

  constructor(owner: VisitOwner, view: RequestView, port: ResponsePort, next: Visit | undefined) {
    this.owner = owner;
    this.view = view;
    this.port = port;
    this.next = next;
  }

  /** The store that was asked has answered. */
  answered(): void {
    this.waitedMs += performance.now() - this.askedAt;
  }

  /** The decision, as its client is told of it. */
  get told(): Decision | undefined {
    return this.turnedAway ?? this.decision;
  }

  get limiter(): string {
    return this.owner.name;
  }

  get limit(): number | undefined {
    return this.told?.binding?.capacity;
  }

  get remaining(): number | undefined {
    return this.told?.binding?.remaining;
  }

  get resetMs(): number | undefined {
    return this.told?.binding?.resetMs;
  }

  get retryAfterMs(): number {
    return this.told?.retryAfterMs ?? 0;
  }

  charge(cost: number): MaybePromise<void> {
    return this.owner.charge(this, cost);
  }

  explain(): string {
    return (
      this.told?.explain() ?? (this.skipped ? "Not counted: the limiter was told to skip it." : "Not decided yet.")
    );
  }

  of(limiter: string): RequestHandle | undefined {
    let visit: Visit | undefined = newestOf(this);
    while (visit !== undefined && visit.owner.name !== limiter) visit = visit.next;
    return visit;
  }
}

/** What the limiter that met this request last made of it, for adapters that show one. */
export function latestHandle(raw: unknown): RequestHandle | undefined {
  return carrierOf<Visit>(raw)[VISITS];
}

/** The latest visit of the same request. Asks no request, whose properties some frameworks make slow to read. */
export function newestOf(visit: Visit): Visit {
  let newest = visit;
  while (newest.newer !== undefined) newest = newest.newer;
  return newest;
}

/** What one limiter made of a request before. @param carrier - of that request. */
export function visitOf(carrier: Carrier<Visit>, owner: VisitOwner): Visit | undefined {
  let visit = carrier[VISITS];
  while (visit !== undefined && visit.owner !== owner) visit = visit.next;
  return visit;
}

/** Begins a visit, and remembers it. @param carrier - of that request. */
export function openVisit(owner: VisitOwner, view: RequestView, port: ResponsePort, carrier: Carrier<Visit>): Visit {
  const latest = carrier[VISITS];
  const visit = new Visit(owner, view, port, latest);
  if (latest !== undefined) latest.newer = visit;
  return (carrier[VISITS] = visit);
}
