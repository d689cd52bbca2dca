import type { CallOptions, Check, MaybePromise, Reply, StateView, Store } from "../domain/store.ts";
import { penalized } from "../observe/store-messages.ts";
import type { EngineParts } from "./parts.ts";
import { explainStates } from "./explain-state.ts";
import type { Ask, Peek } from "./limiter.ts";
import { andThen, isPromise } from "./maybe.ts";

/** A verb of the store that reports and decides nothing. */
export interface Look {
  readonly name: "peek" | "charge";
  readonly verb: (store: Store, checks: readonly Check[], options: CallOptions | undefined) => MaybePromise<Reply>;
}

/** Asks the store, or in its place this process about the policies that it counts. */
export function look<C>(
  parts: EngineParts<C>,
  asks: readonly Ask[],
  context: C | undefined,
  { name, verb }: Look,
): MaybePromise<Peek> {
  const { access, planner, modeOf, observer, store } = parts;
  return andThen(planner.plan(asks, context as C), ({ checks }) =>
    access.call(
      name,
      (target, options) => verb(target, checks, options),
      ({ at, policies }) => {
        if (name === "charge") penalized({ limiter: parts.name, store: store.kind }, name, checks, observer.keys);
        return { at, policies };
      },
      () => {
        const local = access.local();
        const counted = checks
          .filter((check) => modeOf(check.policy.name) === "local")
          .map((check) => access.localCheck(check));
        if (local === undefined || counted.length === 0) return { at: Date.now(), policies: [] };
        const { at, policies } = verb(local, counted, undefined) as Reply;
        return { at, policies };
      },
      undefined,
    ),
  );
}

/** Plain sentences with the numbers behind each policy of a key, and who counts them. */
export function explainKey<C>(
  parts: EngineParts<C>,
  asks: readonly Ask[],
  context: C | undefined,
): MaybePromise<string> {
  const { access, modeOf, name, planner } = parts;
  return andThen(planner.plan(asks, context as C), ({ checks }) =>
    access.call(
      "inspect",
      (store, options) => inspect(store, checks, options),
      (text) => text,
      () => {
        const local = access.local();
        const counted = checks.filter(({ policy }) => !policy.shadow && modeOf(policy.name) === "local");
        const silent = `The store of limiter "${name}" does not answer`;
        if (local === undefined || counted.length === 0) return `${silent}, so nothing is known of this key right now.`;
        const localChecks = counted.map((check) => access.localCheck(check));
        return `${silent}, so this process counts alone:\n${inspect(local, localChecks, undefined) as string}`;
      },
      undefined,
    ),
  );
}

/** Asks for both in one turn, so that a store which batches shows one moment. */
function inspect(store: Store, checks: readonly Check[], options: CallOptions | undefined): MaybePromise<string> {
  const [reply, states] = [store.peek(checks, options), store.inspect(checks, options)];
  return isPromise(reply)
    ? Promise.all([reply, states]).then(([peeked, inspected]) => explainStates(peeked, inspected))
    : explainStates(reply, states as readonly (StateView | undefined)[]);
}
