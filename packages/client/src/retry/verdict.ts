import type { GiveUpReason } from "./events.ts";
import { IDEMPOTENT_METHODS, type Failure } from "./failure.ts";
import type { RetryWait } from "./wait.ts";

/** What is done about a failure. */
export type Verdict =
  | { readonly wait: RetryWait; readonly gaveUp?: undefined }
  | { readonly gaveUp: GiveUpReason; readonly waitMs: number | undefined };

/** What a verdict depends on; the functions are asked last, and only when nothing before them decides. */
export interface VerdictFacts {
  readonly failure: Failure;
  readonly method: string;
  readonly methods: ReadonlySet<string>;
  readonly replayable: boolean;
  readonly retriesLeft: number;
  readonly maxDelayMs: number;
  readonly timeLeftMs: number;
  readonly saysNever: () => Promise<boolean>;
  readonly planWait: () => RetryWait;
  /** Takes a retry out of the budget. */
  readonly spend: () => boolean;
}

/** Whether to wait or to give up, and why; see {@link GiveUpReason} for the order. */
export async function judge(facts: VerdictFacts): Promise<Verdict> {
  if (facts.retriesLeft <= 0) return giveUp("retries-exhausted");
  if (!mayRepeat(facts)) return giveUp("method");
  if (!facts.replayable) return giveUp("body");
  if (facts.failure.refused && (await facts.saysNever())) return giveUp("never-admissible");
  const wait = facts.planWait();
  if (wait.ms > facts.maxDelayMs) return giveUp("wait-above-cap", wait.ms);
  if (wait.ms >= facts.timeLeftMs) return giveUp("wait-above-deadline", wait.ms);
  if (!facts.spend()) return giveUp("retry-budget", wait.ms);
  return { wait };
}

/** A method that is not idempotent may be repeated only when the first request was surely not carried out. */
function mayRepeat({ method, methods, failure }: VerdictFacts): boolean {
  return methods.has(method) && (failure.refused || IDEMPOTENT_METHODS.includes(method));
}

function giveUp(gaveUp: GiveUpReason, waitMs?: number): Verdict {
  return { gaveUp, waitMs };
}
