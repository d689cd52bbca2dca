import { AforoError, got } from "../domain/errors.ts";
import type { CheckedPolicy, Limit, StoreErrorPolicy } from "../domain/policy.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import type { Check, MaybePromise } from "../domain/store.ts";
import type { EventListener } from "../observe/events.ts";
import { isCost, stateKeyOf } from "./keys.ts";
import type { Ask } from "./limiter.ts";
import { allOf, andThen, isPromise } from "./maybe.ts";

/** The checks of one request. */
export interface Plan {
  readonly checks: readonly Check[];
  /** A policy could not be planned and fails closed. */
  readonly refused: boolean;
}

/** Turns asks into checks: resolves limit functions, and applies the error policy to what they and costs get wrong. */
export class Planner<C> {
  readonly #limiter: string;
  readonly #policies: readonly CheckedPolicy<C>[];
  readonly #modeOf: (policy: string) => StoreErrorPolicy;
  readonly #limitTimeoutMs: number;
  readonly #fallbackCost: number;
  readonly #emit: EventListener;

  constructor(
    limiter: string,
    policies: readonly CheckedPolicy<C>[],
    modeOf: (policy: string) => StoreErrorPolicy,
    limitTimeoutMs: number,
    fallbackCost: number,
    emit: EventListener,
  ) {
    this.#limiter = limiter;
    this.#policies = policies;
    this.#modeOf = modeOf;
    this.#limitTimeoutMs = limitTimeoutMs;
    this.#fallbackCost = fallbackCost;
    this.#emit = emit;
  }

  /**
   * At once unless a limit function answers with a promise.
   * @param stateKeys - whether the keys are state keys already, as in a decision that is raised.
   */
  plan(asks: readonly Ask[], context: C, stateKeys: boolean = false): MaybePromise<Plan> {
    const numbers = asks.map((ask) => this.#numbers(this.#policies[ask.policy] as CheckedPolicy<C>, context));
    return andThen(allOf(numbers), (all) => this.#checks(asks, all, stateKeys));
  }

  /** The numbers of one policy for this context; `undefined` when its limit function fails and has no fallback. */
  numbersOf(name: string, context: C): MaybePromise<ResolvedPolicy | undefined> {
    return this.#numbers(this.#policies.find((policy) => policy.name === name) as CheckedPolicy<C>, context);
  }

  #numbers(policy: CheckedPolicy<C>, context: C): MaybePromise<ResolvedPolicy | undefined> {
    return policy.fixed ?? this.#resolve(policy, context);
  }

  #checks(asks: readonly Ask[], numbers: readonly (ResolvedPolicy | undefined)[], stateKeys: boolean): Plan {
    const checks: Check[] = [];
    let refused = false;
    for (let index = 0; index < asks.length; index++) {
      const ask = asks[index] as Ask;
      const policy = numbers[index];
      const stateKey = stateKeys ? ask.key : stateKeyOf(ask.key);
      const cost = isCost(ask.cost) ? ask.cost : this.#badCost(ask);
      if (policy !== undefined && typeof cost === "number") checks.push({ policy, stateKey, cost });
      else refused ||= this.#refuses(ask, cost);
    }
    return { checks, refused };
  }

  /** Without numbers `"local"` has nothing to enforce and must not be unlimited. A shadow never rejects. */
  #refuses(ask: Ask, cost: number | undefined): boolean {
    const { name, shadow } = this.#policies[ask.policy] as CheckedPolicy<C>;
    const mode = this.#modeOf(name);
    return !shadow && (mode === "deny" || (mode === "local" && cost !== undefined));
  }

  /** `"local"` counts a bad cost as the dearest known, in the store, which is well. */
  #badCost(ask: Ask): number | undefined {
    const { name } = this.#policies[ask.policy] as CheckedPolicy<C>;
    const error = new AforoError(
      "ERR_AFORO_INVALID_COST",
      `a cost must be a whole number from 0 to 2^31, ${got(ask.cost)}`,
    );
    this.#emit({ type: "bad-cost", limiter: this.#limiter, policy: name, error });
    return this.#modeOf(name) === "local" ? this.#fallbackCost : undefined;
  }

  #resolve(policy: CheckedPolicy<C>, context: C): MaybePromise<ResolvedPolicy | undefined> {
    try {
      const limit = (policy.limit as (context: C) => Limit | Promise<Limit>)(context);
      if (!isPromise(limit)) return policy.resolve(limit);
      return within(limit, this.#limitTimeoutMs)
        .then(policy.resolve)
        .catch((error: unknown) => this.#fallback(policy, error));
    } catch (error) {
      return this.#fallback(policy, error);
    }
  }

  #fallback(policy: CheckedPolicy<C>, error: unknown): ResolvedPolicy | undefined {
    this.#emit({ type: "limit-failed", limiter: this.#limiter, policy: policy.name, error });
    return policy.fallback;
  }
}

/** Rejects when the promise takes longer; what it does later is ignored. */
function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new AforoError("ERR_AFORO_LIMIT_FUNCTION", `the limit function took longer than ${ms} ms`)),
      ms,
    );
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
