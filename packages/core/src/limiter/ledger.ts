import type { Charge, Check, RaiseCheck, Refund, Store } from "../domain/store.ts";

/** What a decision charged and where, so that it can be given back, raised or settled. */
export interface Ledger {
  /** The store that charged. */
  readonly store: Store;
  /** What was asked, charged or not. */
  readonly asked: readonly Check[];
  readonly entries: readonly LedgerEntry[];
}

/** One charge, and what became of it. */
export interface LedgerEntry {
  readonly check: Check;
  readonly charge: Charge;
  /** Units given back, or asked to be. */
  returned: number;
  /** Units charged on top afterwards, which have no receipt. */
  added: number;
}

/** What is left of a charge to give back. */
function leftOf(entry: LedgerEntry): number {
  return entry.charge.cost - entry.returned;
}

/**
 * Books units as given back and returns the refund to send; booked first, so that whatever becomes
 * of the call, nothing is given back twice.
 */
export function giveBack(entry: LedgerEntry, asked: number): Refund[] {
  const cost = Math.min(asked, leftOf(entry));
  if (cost === 0) return [];
  entry.returned += cost;
  const { policy, stateKey } = entry.check;
  return [{ policy, stateKey, cost, receipt: entry.charge.receipt }];
}

/** What to send so that a request has cost `target` units of this charge's policy in the end. */
export function settleEntry(
  entry: LedgerEntry,
  target: number,
): { readonly refunds: Refund[]; readonly charges: Check[] } {
  const difference = target - (leftOf(entry) + entry.added);
  if (difference <= 0) return { refunds: giveBack(entry, -difference), charges: [] };
  entry.added += difference;
  return { refunds: [], charges: [{ ...entry.check, cost: difference }] };
}

/** How checks replace what a ledger holds. */
export interface Replacement {
  readonly checks: readonly RaiseCheck[];
  /** Charges of policies that are not asked again. */
  readonly carried: readonly LedgerEntry[];
  /** To be sent to the ledger's store, where that is not the one that decides now. */
  readonly elsewhere: readonly Refund[];
}

/** Books every charge whose state is asked again as given back, and says what the raise must carry. */
export function replaceCharges(ledger: Ledger, checks: readonly Check[], store: Store): Replacement {
  const here = ledger.store === store;
  const carried = ledger.entries.filter((entry) => !checks.some((check) => sameState(check, entry.check)));
  const replaced = ledger.entries.filter((entry) => !carried.includes(entry));
  const raises = checks.map((check): RaiseCheck => {
    const entry = here ? replaced.find((each) => sameState(each.check, check)) : undefined;
    const cost = entry === undefined ? 0 : leftOf(entry);
    return {
      ...check,
      earlier: entry === undefined || cost === 0 ? undefined : { cost, receipt: entry.charge.receipt },
    };
  });
  const refunds = replaced.flatMap((entry) => giveBack(entry, leftOf(entry)));
  return { checks: raises, carried, elsewhere: here ? [] : refunds };
}

function sameState(a: Check, b: Check): boolean {
  return a.stateKey === b.stateKey && a.policy.space === b.policy.space;
}
