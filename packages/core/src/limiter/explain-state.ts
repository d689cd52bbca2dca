import type { PolicyDecision } from "../domain/decision.ts";
import type { Reply, StateView } from "../domain/store.ts";
import { duration, quota } from "./explain.ts";

/** One sentence or two for each policy of a key, with the numbers behind it. */
export function explainStates(reply: Reply, states: readonly (StateView | undefined)[]): string {
  return reply.policies.map((policy, index) => explainState(policy, states[index], reply.at)).join("\n");
}

function explainState(policy: PolicyDecision, state: StateView | undefined, now: number): string {
  const who = `${policy.shadow ? "Shadow " : ""}${quota(policy)}`;
  const subject = `${who[0]?.toUpperCase() ?? ""}${who.slice(1)}`;
  if (state === undefined) return `${subject}: nothing is used; all ${policy.capacity} are left.`;
  const blocked =
    state.blockedUntil > now ? ` The key is blocked for another ${duration(state.blockedUntil - now)}.` : "";
  const left = `${policy.remaining} of ${policy.capacity} left; all of it in ${duration(policy.resetMs)}`;
  return `${subject}: ${usage(policy, state, now)}, so ${left}.${blocked}`;
}

function usage(policy: PolicyDecision, state: StateView, now: number): string {
  const ago = `${duration(Math.max(0, now - state.mark))} ago`;
  switch (policy.algorithm) {
    case "fixed-window":
      return `${state.used} used in the window that began ${ago}`;
    case "sliding-window-log":
      return `${state.used} used by ${state.entries} logged request${state.entries === 1 ? "" : "s"}, the newest ${ago}`;
    case "sliding-window-counter":
      return `${state.used} count: ${state.current} of the window that began ${ago} and ${state.used - (state.current ?? 0)} of the ${state.previous} before it`;
    default:
      return `${Math.round(state.used * 1_000) / 1_000} of the bucket are filled and drain at ${policy.limit} per ${duration(policy.window)}`;
  }
}
