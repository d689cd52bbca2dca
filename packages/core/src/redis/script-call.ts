import type { AlgorithmName } from "../domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { INJECTED_CLOCK_FLOOR_MS, lifetimeMs } from "./lifetime.ts";
import type { Request } from "./request.ts";
import type { Script } from "./script.ts";
import * as scripts from "./scripts.generated.ts";

/** One script call: what decides a whole batch. */
export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

const CONSUME: Readonly<Record<AlgorithmName, Script>> = {
  "fixed-window": scripts.consumeFixedWindowScript,
  "sliding-window-log": scripts.consumeSlidingWindowLogScript,
  "sliding-window-counter": scripts.consumeSlidingWindowCounterScript,
  "token-bucket": scripts.consumeBucketScript,
  gcra: scripts.consumeGcraScript,
  "leaky-bucket": scripts.consumeBucketScript,
};

/** Spells batches as calls. Most batches ask one policy for one cost, and have scripts of their own. */
export class CallWriter {
  /** Numbers become texts once per policy. */
  readonly #numbers = new WeakMap<ResolvedPolicy, readonly string[]>();
  readonly #floor: number;

  constructor(injectedClock: boolean) {
    this.#floor = injectedClock ? INJECTED_CLOCK_FLOOR_MS : 0;
  }

  /** @param now - of an injected clock; else the server's time counts. */
  write(requests: readonly Request[], now: number | undefined): ScriptCall {
    const keys: string[] = [];
    for (const { key, moreKeys } of requests) {
      keys.push(key);
      for (const more of moreKeys) keys.push(more);
    }
    const first = requests[0] as Request;
    return isPlainConsume(first) && requests.every((request) => sameShape(request, first))
      ? this.#consumeCall(first, keys, now)
      : this.#batchCall(requests, keys, now);
  }

  #consumeCall({ checks }: Request, keys: readonly string[], now: number | undefined): ScriptCall {
    const { policy, cost } = checks[0] as Request["checks"][number];
    const [, limit, window, , ttl] = this.#numbersOf(policy) as [string, string, string, string, string];
    const unit = policy.algorithm === "gcra" ? policy.reducedWindow : policy.window;
    const windowed = isWindowed(policy);
    const args = windowed ? [limit, window, ttl] : [limit, window, String(policy.capacity * unit), ttl];
    // The usual cost goes without saying.
    if (cost !== 1 || now !== undefined) args.push(String(windowed ? cost : cost * unit));
    if (now !== undefined) args.push(String(now));
    return { script: CONSUME[policy.algorithm], keys, args };
  }

  #batchCall(requests: readonly Request[], keys: readonly string[], now: number | undefined): ScriptCall {
    const plans: Request[] = [];
    const runs: number[] = [];
    const extras: string[] = [];
    let previous: Request | undefined;
    for (const request of requests) {
      if (previous !== undefined && sameShape(request, previous)) {
        runs[runs.length - 1] = (runs[runs.length - 1] as number) + 1;
      } else {
        const known = plans.findIndex((plan) => sameShape(request, plan));
        runs.push(known < 0 ? plans.push(request) : known + 1, 1);
      }
      previous = request;
      if (request.extras !== undefined) for (const extra of request.extras) extras.push(String(extra));
    }
    const clock = now === undefined ? "" : String(now);
    const args = [clock, String(plans.length), ...plans.map((plan) => this.#planOf(plan)), runs.join(" "), ...extras];
    return { script: scripts.batchScript, keys, args };
  }

  #planOf({ verb, checks }: Request): string {
    const words: string[] = [verb];
    for (const { policy, cost } of checks) {
      words.push(policy.algorithm, ...this.#numbersOf(policy), String(cost), policy.shadow ? "1" : "0");
    }
    return words.join(" ");
  }

  #numbersOf(policy: ResolvedPolicy): readonly string[] {
    let numbers = this.#numbers.get(policy);
    if (numbers === undefined) {
      const gcra = policy.algorithm === "gcra";
      numbers = [
        policy.capacity,
        gcra ? policy.reducedLimit : policy.limit,
        gcra ? policy.reducedWindow : policy.window,
        policy.span,
        Math.max(lifetimeMs(policy), this.#floor),
      ].map(String);
      this.#numbers.set(policy, numbers);
    }
    return numbers;
  }
}

/** Whether the limit is the capacity and the window the span. */
function isWindowed({ algorithm }: ResolvedPolicy): boolean {
  return algorithm === "fixed-window" || algorithm === "sliding-window-log" || algorithm === "sliding-window-counter";
}

function isPlainConsume({ verb, checks }: Request): boolean {
  return verb === "consume" && checks.length === 1 && (checks[0] as Request["checks"][number]).cost > 0;
}

/** Whether two requests differ in nothing but their keys and what they bring along. */
function sameShape(a: Request, b: Request): boolean {
  if (a.verb !== b.verb || a.checks.length !== b.checks.length) return false;
  for (let i = 0; i < a.checks.length; i++) {
    const one = a.checks[i] as Request["checks"][number];
    const other = b.checks[i] as Request["checks"][number];
    if (one.policy !== other.policy || one.cost !== other.cost) return false;
  }
  return true;
}
