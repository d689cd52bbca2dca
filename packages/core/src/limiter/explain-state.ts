import type { PolicyDecision } from "../domain/decision.ts";
import type { StateView } from "../domain/store.ts";
import { amount, duration, isBucket, moment, percentage, quota } from "./explain-words.ts";
import type { Peek } from "./limiter.ts";

/** A line for each policy of a key, with the numbers behind it. */
export function explainStates({ at, policies }: Peek, states: readonly (StateView | undefined)[]): string {
  return policies.map((policy, index) => explainState(policy, states[index], at)).join("\n");
}

function explainState(policy: PolicyDecision, state: StateView | undefined, now: number): string {
  const subject = policy.shadow ? `Shadow ${quota(policy)}` : quota(policy).replace(/^p/, "P");
  const { capacity } = policy;
  if (capacity === 0) return `${subject}: admits nothing.${blockOf(state, now)}`;
  if (state === undefined) return `${subject}: nothing is used; all ${capacity} are left.`;
  if (state.used === 0 && (state.previous ?? 0) === 0)
    return `${subject}: nothing is used; all ${capacity} would be left.${blockOf(state, now)}`;
  const left = Math.max(0, Math.floor(capacity - state.used));
  const over = state.used - capacity;
  const debt = over > 0 ? `, ${amount(over)} more than it admits` : "";
  return `${subject}: ${usage(policy, state, now)}, so ${left} of ${capacity} left${debt}; ${wholeAgain(policy, state, now)}.${blockOf(state, now)}`;
}

function usage(policy: PolicyDecision, state: StateView, now: number): string {
  const { limit, window, capacity } = policy;
  const { used, mark } = state;
  const began = `the window that began ${ago(mark, now)}`;
  if (isBucket(policy)) {
    const rate = `${limit} per ${duration(window)}`;
    return policy.algorithm === "leaky-bucket"
      ? `${amount(used)} stand in the bucket of ${capacity} and drain at ${rate}`
      : `${amount(used)} of ${capacity} tokens are used and refill at ${rate}`;
  }
  switch (policy.algorithm) {
    case "fixed-window":
      return `${used} used in ${began}`;
    case "sliding-window-counter": {
      const { current = 0, previous = 0 } = state;
      const weight = (mark + window - Math.max(now, mark)) / window;
      return `${used} count: ${current} of ${began} and ${used - current} of the ${previous} before it, of which ${percentage(weight)} still counts`;
    }
    default:
      return `${used} used by ${state.entries} logged request${state.entries === 1 ? "" : "s"}, the newest ${ago(mark, now)}`;
  }
}

/** A block hides when the quota alone would be whole. */
function wholeAgain({ resetMs }: PolicyDecision, { blockedUntil }: StateView, now: number): string {
  return blockedUntil - now === resetMs ? "all of it when the block ends" : `all of it in ${duration(resetMs)}`;
}

function blockOf(state: StateView | undefined, now: number): string {
  const blockedUntil = state?.blockedUntil ?? 0;
  return blockedUntil > now
    ? ` The key is blocked for another ${duration(blockedUntil - now)}, until ${moment(blockedUntil)}: nothing is admitted before.`
    : "";
}

function ago(mark: number, now: number): string {
  return mark > now ? `${duration(mark - now)} ahead of the clock` : `${duration(now - mark)} ago`;
}
