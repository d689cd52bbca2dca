import type { Decision } from "../domain/decision.ts";
import type { CheckedPolicy } from "../domain/policy.ts";
import type { MaybePromise, Store } from "../domain/store.ts";
import type { KeyHasher } from "../identity/key-hasher.ts";
import type { Ask, Costs, Keys, Limiter, Peek } from "../limiter/limiter.ts";
import { allOf, andThen } from "../limiter/maybe.ts";

/**
 * The limiter as applications use it by hand: keys are hashed as those of requests are, and it stays the same object
 * while routes still declare policies. What forgets or blocks does so under every secret in use.
 */
export class HandLimiter<C> implements Limiter<boolean, C> {
  readonly #current: () => Limiter<boolean, C>;
  readonly #hasher: KeyHasher | undefined;
  readonly #closing: () => void;

  /** @param closing - called before the limiter is closed. */
  constructor(current: () => Limiter<boolean, C>, hasher: KeyHasher | undefined, closing: () => void) {
    this.#current = current;
    this.#hasher = hasher;
    this.#closing = closing;
  }

  get name(): string {
    return this.#current().name;
  }

  get policies(): readonly CheckedPolicy<C>[] {
    return this.#current().policies;
  }

  get store(): Store {
    return this.#current().store;
  }

  consume(keys: Keys, cost?: Costs, context?: C, className?: string): MaybePromise<Decision> {
    return this.#current().consume(this.#newest(keys), cost, context, className);
  }

  consumeEach(asks: readonly Ask[], context?: C, patienceMs?: number, className?: string): MaybePromise<Decision> {
    return this.#current().consumeEach(this.#hashed(asks), context, patienceMs, className);
  }

  raise(decision: Decision, cost: Costs, context?: C): MaybePromise<Decision> {
    return this.#current().raise(decision, cost, context);
  }

  raiseEach(
    decision: Decision,
    asks: readonly Ask[],
    context?: C,
    patienceMs?: number,
    className?: string,
  ): MaybePromise<Decision> {
    return this.#current().raiseEach(decision, this.#hashed(asks), context, patienceMs, className);
  }

  peek(keys: Keys, context?: C): MaybePromise<Peek> {
    return this.#current().peek(this.#newest(keys), context);
  }

  charge(keys: Keys, cost: Costs, context?: C): MaybePromise<Peek> {
    return this.#current().charge(this.#newest(keys), cost, context);
  }

  refund(decision: Decision, cost?: Costs): MaybePromise<void> {
    return this.#current().refund(decision, cost);
  }

  settle(decision: Decision, cost: Costs): MaybePromise<void> {
    return this.#current().settle(decision, cost);
  }

  reset(keys: Keys): MaybePromise<void> {
    return this.#forEach(keys, (hashed) => this.#current().reset(hashed));
  }

  block(keys: Keys, ms: number): MaybePromise<void> {
    return this.#forEach(keys, (hashed) => this.#current().block(hashed, ms));
  }

  explain(keys: Keys, context?: C): MaybePromise<string> {
    return this.#current().explain(this.#newest(keys), context);
  }

  close(): MaybePromise<void> {
    this.#closing();
    return this.#current().close();
  }

  #hashed(asks: readonly Ask[]): readonly Ask[] {
    const hasher = this.#hasher;
    return hasher === undefined ? asks : asks.map((ask) => ({ ...ask, key: hasher.hash(ask.key)[0] as string }));
  }

  #newest(keys: Keys): Keys {
    return this.#hasher === undefined ? keys : (hashKeys(keys, this.#hasher)[0] as Keys);
  }

  #forEach(keys: Keys, verb: (keys: Keys) => MaybePromise<void>): MaybePromise<void> {
    if (this.#hasher === undefined) return verb(keys);
    return andThen(allOf(hashKeys(keys, this.#hasher).map(verb)), () => undefined);
  }
}

/** The keys under each secret; whatever is no text is left for the limiter to refuse. */
function hashKeys(keys: Keys, hasher: KeyHasher): Keys[] {
  if (typeof keys === "string") return keys === "" ? [keys] : [...hasher.hash(keys)];
  if (typeof keys !== "object" || keys === null) return [keys];
  const hashed = Object.entries(keys).map(
    ([policy, key]) => [policy, typeof key === "string" && key !== "" ? hasher.hash(key) : [key]] as const,
  );
  const secrets = Math.max(1, ...hashed.map(([, list]) => list.length));
  return Array.from({ length: secrets }, (_, secret) =>
    Object.fromEntries(hashed.map(([policy, list]) => [policy, list[secret] ?? (list[0] as string | null)])),
  );
}
