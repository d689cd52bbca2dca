import type { CallOptions, Check, Reply } from "../domain/store.ts";
import type { DenyCache } from "./deny-cache.ts";
import { decided, readAsked, readDone, type Asked } from "./requests.ts";
import { inOrder, type Part, type StoreCalls } from "./store-calls.ts";

/**
 * Decides a request whose policies have keys in different slots of a Cluster, which no script can reach
 * at once: each slot decides and charges its own, and where not all admit, what was charged is given back.
 * Until then others may see too much used, never too little.
 *
 * @param extras - what each check brings along for the verb.
 */
export async function decideAcrossSlots(
  calls: StoreCalls,
  denials: DenyCache | undefined,
  verb: "consume" | "raise",
  checks: readonly Check[],
  extras: readonly (readonly number[])[] | undefined,
  options: CallOptions | undefined,
): Promise<Reply> {
  for (const { stateKey } of checks) denials?.hold(stateKey);
  try {
    const outcomes = await Promise.allSettled(calls.partsInSlots(verb, checks, extras, options, readAsked));
    const parts = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    const allowed = failure === undefined && parts.every(({ value }) => value.allowed);
    const compensated = !allowed && (await giveBack(calls, parts));
    if (failure !== undefined) throw failure.reason;
    return join(parts, checks.length, allowed, compensated);
  } finally {
    for (const { stateKey } of checks) denials?.release(stateKey);
  }
}

/** Gives back what enforced policies were charged; answers whether that was anything. */
async function giveBack(calls: StoreCalls, parts: readonly Part<Asked>[]): Promise<boolean> {
  const charged = parts.flatMap(({ value: { checks, questions, allowed } }) =>
    checks.flatMap((check, i) => {
      const receipt = allowed && check.cost > 0 && !check.policy.shadow ? questions[i]?.receipt(check) : undefined;
      return receipt === undefined ? [] : [{ check, extras: [check.cost, receipt] }];
    }),
  );
  if (charged.length === 0) return false;
  const checks = charged.map(({ check }) => ({ ...check, cost: 0 }));
  // However late it has become, this must be tried; where it fails too little quota remains, not too much.
  const refunds = calls.partsInSlots(
    "refund",
    checks,
    charged.map(({ extras }) => extras),
    undefined,
    readDone,
  );
  await Promise.allSettled(refunds);
  return true;
}

function join(parts: readonly Part<Asked>[], length: number, allowed: boolean, compensated: boolean): Reply {
  const replies = parts.map(({ indexes, value }) => ({ indexes, reply: decided(value, allowed) }));
  const policies = inOrder(
    replies.map(({ indexes, reply }) => ({ indexes, values: reply.policies })),
    length,
  );
  const at = Math.max(...replies.map(({ reply }) => reply.at));
  return { at, allowed, policies, source: "store", ...(compensated ? { compensated } : {}) };
}
