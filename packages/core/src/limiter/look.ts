import type { CallOptions, Check, MaybePromise, Reply, Store } from "../domain/store.ts";
import type { EngineParts } from "./parts.ts";
import { explainStates } from "./explain-state.ts";
import type { Ask, Peek } from "./limiter.ts";
import { andThen } from "./maybe.ts";

/** A verb of the store that reports and decides nothing. */
export type Look = (store: Store, checks: readonly Check[], options: CallOptions | undefined) => MaybePromise<Reply>;

/** Asks the store, or in its place this process about the policies that it counts. */
export function look<C>(
  parts: EngineParts<C>,
  asks: readonly Ask[],
  context: C | undefined,
  verb: Look,
): MaybePromise<Peek> {
  const { access, planner, modeOf } = parts;
  return andThen(planner.plan(asks, context as C), ({ checks }) =>
    access.call(
      (store, options) => verb(store, checks, options),
      ({ at, policies }) => ({ at, policies }),
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

/** Plain sentences with the numbers behind each policy of a key. */
export function explainKey<C>(
  parts: EngineParts<C>,
  asks: readonly Ask[],
  context: C | undefined,
): MaybePromise<string> {
  return andThen(parts.planner.plan(asks, context as C), ({ checks }) =>
    parts.access.call(
      (store, options) =>
        andThen(store.peek(checks, options), (reply) =>
          andThen(store.inspect(checks, options), (states) => explainStates(reply, states)),
        ),
      (text) => text,
      () => `The store of limiter "${parts.name}" did not answer, so nothing is known of this key right now.`,
      undefined,
    ),
  );
}
