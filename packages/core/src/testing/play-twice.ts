import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { PolicyDecision } from "../domain/decision.ts";
import { resolvePolicy, type ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Charge, Check, Refund, Reply, Store } from "../domain/store.ts";
import type { ManualClock } from "./manual-clock.ts";
import type { History, HistoryPolicy, HistoryStep } from "./history.ts";
import { chargeOf } from "./scenario.ts";

/** gcra counts exactly until then. */
const LATEST: number = 2 ** 41 - 1;

/** What one call charged to one state, in each of the two stores, and how much of it is left. */
interface Charged {
  readonly policy: ResolvedPolicy;
  readonly stateKey: string;
  readonly receipts: readonly (string | number)[];
  left: number;
}

/** Plays a history on a store and on a reference at once, and compares every answer. */
export async function playTwice(
  { policies, steps }: History,
  clock: ManualClock,
  subject: Store,
  reference: Store,
): Promise<void> {
  const id = randomUUID();
  const stores = [subject, reference];
  const resolved = policies.map((policy, i) => policy.limits.map((limit) => resolve(policy, limit, i)));
  const decisions: (Charged | undefined)[][] = [];

  for (const step of steps) {
    clock.set(Math.min(Math.max(0, clock() + step.wait), LATEST));
    const checks = checksOf(step);
    switch (step.op) {
      case "consume":
        await decide(checks, (store) => store.consume(checks));
        break;
      case "raise": {
        const earlier = checks.map((check, i) => standing(check, decisions.at(-1 - step.ago)?.[i]));
        await decide(checks, (store, which) =>
          store.raise(checks.map((check, i) => ({ ...check, earlier: chargeIn(earlier[i], which) }))),
        );
        for (const charged of earlier) if (charged !== undefined) charged.left = 0;
        break;
      }
      case "refund": {
        const charges = (decisions.at(-1 - step.ago) ?? []).flatMap((charged, i) => part(charged, step.costs[i] ?? 0));
        await both((store, which) =>
          store.refund(charges.map(({ charged, cost }) => refundIn(charged, checks, cost, which))),
        );
        for (const { charged, cost } of charges) charged.left -= cost;
        break;
      }
      case "charge":
        await same((store) => store.charge(checks));
        break;
      case "reset":
        await both((store) => store.reset(checks));
        break;
      case "block":
        await both((store) => store.block(checks, step.ms));
        break;
      case "inspect":
        assert.deepEqual(...(await both((store) => store.inspect(checks))));
        break;
      case "peek":
        break;
    }
    await same((store) => store.peek(checks));
  }

  function checksOf(step: HistoryStep): Check[] {
    return resolved.map((limits, i) => ({
      policy: limits[step.limit % limits.length] as ResolvedPolicy,
      stateKey: `${id}-${step.keys[i]}`,
      cost: step.costs[i] as number,
    }));
  }

  async function decide(checks: readonly Check[], ask: (store: Store, which: number) => unknown): Promise<void> {
    const replies = await same(ask);
    decisions.push(
      checks.map(({ policy, stateKey, cost }, i) => {
        const charges = replies.map((reply) => chargeOf(reply.policies[i] as PolicyDecision));
        if (charges.includes(undefined)) return undefined;
        return { policy, stateKey, left: cost, receipts: charges.map((charge) => (charge as Charge).receipt) };
      }),
    );
  }

  async function same(ask: (store: Store, which: number) => unknown): Promise<[Reply, Reply]> {
    const replies = (await both(ask)) as [Reply, Reply];
    assert.deepEqual(...(replies.map(comparable) as [object, object]));
    return replies;
  }

  async function both<T>(ask: (store: Store, which: number) => T): Promise<[Awaited<T>, Awaited<T>]> {
    return [await ask(stores[0] as Store, 0), await ask(stores[1] as Store, 1)];
  }
}

function resolve(
  { algorithm, window, burst, delayAfter, shadow }: HistoryPolicy,
  limit: number,
  i: number,
): ResolvedPolicy {
  return resolvePolicy(
    { limiter: "histories", name: `p${i}`, algorithm, shadow, limit, window, burst, delayAfter },
    "limit",
  );
}

/** What a raise gives back: only what stands charged to the same state. */
function standing({ policy, stateKey }: Check, charged: Charged | undefined): Charged | undefined {
  return charged !== undefined &&
    charged.left > 0 &&
    charged.policy.space === policy.space &&
    charged.stateKey === stateKey
    ? charged
    : undefined;
}

function chargeIn(charged: Charged | undefined, which: number): Charge | undefined {
  return charged === undefined
    ? undefined
    : { cost: charged.left, receipt: charged.receipts[which] as string | number };
}

function part(charged: Charged | undefined, cost: number): { charged: Charged; cost: number }[] {
  if (charged === undefined || cost === 0 || charged.left === 0) return [];
  return [{ charged, cost: Math.min(cost, charged.left) }];
}

/** By the numbers in force now, where they still name the same state. */
function refundIn(
  { policy, stateKey, receipts }: Charged,
  checks: readonly Check[],
  cost: number,
  which: number,
): Refund {
  const current = checks.find((check) => check.policy.space === policy.space)?.policy ?? policy;
  return { policy: current, stateKey, cost, receipt: receipts[which] as string | number };
}

/** Everything but the receipts, which only their own store understands. */
function comparable({ at, allowed, policies }: Reply): object {
  return { at, allowed, policies: policies.map((policy) => ({ ...policy, receipt: policy.receipt !== undefined })) };
}
