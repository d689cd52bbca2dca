import type { StoreErrorPolicy } from "../domain/policy.ts";
import type { Check } from "../domain/store.ts";
import { LimiterDecision } from "./limiter-decision.ts";
import type { StoreAccess } from "./store-access.ts";

/**
 * Decides what the store could not, by each policy's `onStoreError`: one that fails closed denies
 * the request; those that count locally decide together; those that fail open say nothing.
 */
export function withoutStore(
  parts: { readonly access: StoreAccess; readonly modeOf: (policy: string) => StoreErrorPolicy },
  owner: object,
  checks: readonly Check[],
  refused = false,
): LimiterDecision {
  const enforced = checks.filter((check) => !check.policy.shadow);
  const local = parts.access.local();
  const counted = enforced.filter((check) => parts.modeOf(check.policy.name) === "local");
  const closed =
    refused ||
    enforced.some((check) => parts.modeOf(check.policy.name) === "deny") ||
    (counted.length > 0 && local === undefined);
  if (closed || local === undefined || counted.length === 0) return unanswered(owner, !closed);
  const localChecks = counted.map((check) => parts.access.localCheck(check));
  return new LimiterDecision(local.consume(localChecks), "local", owner, local, localChecks, []);
}

function unanswered(owner: object, allowed: boolean): LimiterDecision {
  const nothing = { at: Date.now(), allowed, policies: [] };
  return new LimiterDecision(nothing, allowed ? "fail-open" : "fail-closed", owner, undefined, [], []);
}
