import { AforoError, got } from "../domain/errors.ts";
import type { MaybePromise, Refund, Store } from "../domain/store.ts";
import type { StoreVerb } from "../observe/records.ts";
import { isCost, costOf } from "./keys.ts";
import { giveBack, settleEntry, type Ledger } from "./ledger.ts";
import type { Costs } from "./limiter.ts";
import { allOf, andThen } from "./maybe.ts";
import type { EngineParts } from "./parts.ts";

/** What is done to a decision's charges afterwards. A failure of the store is an event: the quota comes back with the window. */
export class Corrections<C> {
  readonly #parts: EngineParts<C>;

  constructor(parts: EngineParts<C>) {
    this.#parts = parts;
  }

  /** Gives units of each charge back; all that is left of it by default. */
  refund(ledger: Ledger, cost: Costs | undefined, context: C | undefined): MaybePromise<void> {
    const refunds = ledger.entries.flatMap((entry) => {
      const asked = cost === undefined ? Infinity : this.#usable(costOf(cost, entry.check.policy.name));
      return asked === undefined ? [] : giveBack(entry, asked);
    });
    if (context === undefined) return this.send(ledger.store, refunds);
    const numbers = refunds.map(({ policy }) => this.#parts.planner.numbersOf(policy.name, context));
    return andThen(allOf(numbers), (current) =>
      this.send(
        ledger.store,
        refunds.map((refund, index) => ({ ...refund, policy: current[index] ?? refund.policy })),
      ),
    );
  }

  /** Makes each charge what the request has cost in the end. */
  settle(ledger: Ledger, cost: Costs): MaybePromise<void> {
    const settled = ledger.entries.flatMap((entry) => {
      const target = this.#usable(costOf(cost, entry.check.policy.name));
      return target === undefined ? [] : [settleEntry(entry, target)];
    });
    const charges = settled.flatMap((entry) => entry.charges);
    const refunds = settled.flatMap((entry) => entry.refunds);
    const charging =
      charges.length === 0
        ? this.#nothing()
        : this.#call(ledger.store, "charge", (store, options) => store.charge(charges, options));
    return andThen(charging, () => this.send(ledger.store, refunds));
  }

  /** Sends refunds that are booked already. */
  send(store: Store, refunds: readonly Refund[]): MaybePromise<void> {
    return refunds.length === 0
      ? this.#nothing()
      : this.#call(store, "refund", (target, options) => target.refund(refunds, options));
  }

  /** Tells the operator of a cost that is none. @param what - what becomes of it. */
  reportCost(cost: unknown, what: string): void {
    const message = `${what}: a cost must be a whole number from 0 to 2^31, ${got(cost)}`;
    const error = new AforoError("ERR_AFORO_INVALID_COST", message);
    this.#parts.emit({ type: "bad-cost", limiter: this.#parts.name, error });
  }

  #usable(cost: unknown): number | undefined {
    if (isCost(cost)) return cost;
    this.reportCost(cost, "the charge stays");
    return undefined;
  }

  /** To the store that charged, which may be that of this process. */
  #call(
    store: Store,
    name: StoreVerb,
    verb: (store: Store, options: { deadline: number } | undefined) => MaybePromise<unknown>,
  ): MaybePromise<void> {
    if (store !== this.#parts.store) {
      void verb(store, undefined);
      return this.#nothing();
    }
    return this.#parts.access.call<unknown, void>(
      name,
      verb,
      () => undefined,
      () => undefined,
      undefined,
    );
  }

  #nothing(): MaybePromise<void> {
    return this.#parts.store.sync ? undefined : Promise.resolve();
  }
}
