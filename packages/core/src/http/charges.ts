import type { Decision } from "../domain/decision.ts";
import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { SureKey } from "../identity/with-address.ts";
import type { Ask, Limiter } from "../limiter/limiter.ts";
import { allOf, andThen } from "../limiter/maybe.ts";
import type { ClassPlan, PlanEntry } from "./class-table.ts";
import type { LimiterParts } from "./limiter-parts.ts";
import { newestOf, type Visit } from "./visit.ts";

/** Charges requests, each once: what a later meeting asks replaces what was asked before. */
export class Charges<Raw> {
  readonly #parts: LimiterParts<Raw>;
  /** What the limiter waits by itself, in ms. */
  readonly #fullPatience: number;

  constructor(parts: LimiterParts<Raw>) {
    this.#parts = parts;
    this.#fullPatience = parts.checked.storeTimeoutMs;
  }

  /** Reads the keys that the entries need and that are not known yet. */
  learnKeys(visit: Visit, entries: readonly PlanEntry[]): MaybePromise<void> {
    const { keys } = visit;
    let learning: Promise<void>[] | undefined;
    for (let index = 0; index < entries.length; index++) {
      const { source } = entries[index] as PlanEntry;
      if (keys[source] !== undefined) continue;
      // One that another policy counts by too may be on its way.
      if (learning !== undefined && entries.findIndex((entry) => entry.source === source) < index) continue;
      const key = (this.#parts.declared.keys[source] as SureKey<Raw>)(visit.view as RequestView<Raw>);
      if (typeof key === "string") keys[source] = key;
      else {
        learning ??= [];
        learning.push(
          key.then((found) => {
            keys[source] = found;
          }),
        );
      }
    }
    return learning === undefined ? undefined : Promise.all(learning).then(() => undefined);
  }

  /** Decides the visit's entries, in place of what was decided before. All keys are known. Who awaits it says so to the visit. */
  decide(visit: Visit, plan: ClassPlan, limiter: Limiter<boolean, RequestView<Raw>>): MaybePromise<Decision> {
    const view = visit.view as RequestView<Raw>;
    const earlier = visit.decision;
    const { sync } = limiter.store;
    if (!sync) visit.askedAt = performance.now();
    const patience = sync ? this.#fullPatience : this.#patience(visit);
    if (plan.uniform && earlier === undefined && this.#parts.hasher === undefined && patience >= this.#fullPatience) {
      const { source, cost } = plan.entries[0] as PlanEntry;
      return limiter.consume(visit.keys[source] as string, cost, view, visit.class);
    }
    const asks = this.#asksOf(visit);
    return earlier === undefined
      ? limiter.consumeEach(asks, view, patience, visit.class)
      : limiter.raiseEach(earlier, asks, view, patience, visit.class);
  }

  /** Takes a cost known late, from every policy that decided the visit. */
  take(visit: Visit, cost: number): MaybePromise<void> {
    const limiter = this.#parts.declared.serve();
    if (limiter === undefined || visit.decision?.allowed !== true) return undefined;
    const charged = this.#keyRecords(visit, limiter).map((keys) =>
      limiter.charge(keys, cost, visit.view as RequestView<Raw>),
    );
    return andThen(allOf(charged), () => undefined);
  }

  /** Makes `cost` what the visit cost in the end. */
  settle(visit: Visit, cost: number): MaybePromise<void> {
    const limiter = this.#parts.declared.serve();
    if (limiter === undefined || visit.decision?.allowed !== true) return undefined;
    // A cost of 0 charged nothing that could be changed.
    if (visit.entries.every((entry) => entry.cost === 0)) return this.take(visit, cost);
    return limiter.settle(visit.decision, cost);
  }

  /** Gives everything back, as if the request had never been. */
  giveBack(visit: Visit): void {
    void this.#parts.declared.serve()?.refund(visit.decision as Decision);
  }

  #asksOf({ entries, keys }: Visit): readonly Ask[] {
    const { hasher } = this.#parts;
    const asks: Ask[] = [];
    for (let index = 0; index < entries.length; index++) {
      const { policy, source, cost } = entries[index] as PlanEntry;
      const key = keys[source] as string;
      if (hasher === undefined) asks.push({ policy, key, cost });
      else for (const hashed of hasher.hash(key)) asks.push({ policy, key: hashed, cost });
    }
    return asks;
  }

  /** Keys by policy, once for each secret in use. */
  #keyRecords({ entries, keys }: Visit, limiter: Limiter<boolean, RequestView<Raw>>): Record<string, string | null>[] {
    const none = Object.fromEntries(limiter.policies.map((policy) => [policy.name, null as string | null]));
    const records: Record<string, string | null>[] = [];
    for (const { policy, source } of entries) {
      const key = keys[source] as string;
      for (const [secret, hashed] of (this.#parts.hasher?.hash(key) ?? [key]).entries()) {
        (records[secret] ??= { ...none })[limiter.policies[policy]?.name as string] = hashed;
      }
    }
    return records;
  }

  /**
   * Ms to wait for the store. Limiters on one route share what a single one may wait, so that an outage does not add their
   * timeouts up; each still gets a quarter, since the next may have a store that is well.
   */
  #patience(visit: Visit): number {
    let waited = 0;
    for (let each: Visit | undefined = newestOf(visit); each !== undefined; each = each.next) waited += each.waitedMs;
    return Math.max(this.#fullPatience / 4, this.#fullPatience - waited);
  }
}

/** What a visit is charged when it also has to pay for other entries, or `undefined` when it pays for them already. */
export function mergedEntries(paid: readonly PlanEntry[], due: readonly PlanEntry[]): readonly PlanEntry[] | undefined {
  let changed = false;
  const merged = [...paid];
  for (const entry of due) {
    const index = merged.findIndex((each) => each.policy === entry.policy);
    if (index < 0) merged.push(entry);
    else if ((merged[index] as PlanEntry).cost >= entry.cost) continue;
    else merged[index] = entry;
    changed = true;
  }
  return changed ? merged : undefined;
}
