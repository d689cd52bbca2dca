import { performance } from "node:perf_hooks";
import type { AsyncStore, SyncStore } from "../../src/domain/store.ts";

/** What may go wrong with the next call of a {@link promisedStore}. */
export type Fault = "none" | "reject" | "throw" | "never" | { readonly lateMs: number };

export interface PromisedStore extends Omit<AsyncStore, "remembered"> {
  remembered?: NonNullable<AsyncStore["remembered"]>;
  /** From now on calls fail so. */
  fault: Fault;
  /** How many calls were made. */
  calls: number;
}

/** A synchronous store behind promises, which can be told to fail. */
export function promisedStore(store: SyncStore): PromisedStore {
  const promised: PromisedStore = {
    sync: false,
    kind: "promised",
    fault: "none",
    calls: 0,
    consume: (checks) => call(() => store.consume(checks)),
    raise: (checks) => call(() => store.raise(checks)),
    peek: (checks) => call(() => store.peek(checks)),
    charge: (checks) => call(() => store.charge(checks)),
    refund: (refunds) => call(() => store.refund(refunds)),
    reset: (checks) => call(() => store.reset(checks)),
    block: (checks, ms) => call(() => store.block(checks, ms)),
    inspect: (checks) => call(() => store.inspect(checks)),
    close: () => store.close(),
  };
  return promised;

  function call<T>(verb: () => T): Promise<T> {
    promised.calls++;
    const { fault } = promised;
    if (fault === "throw") throw new Error("the store threw");
    if (fault === "reject") return Promise.reject(new Error("the store rejected"));
    if (fault === "never") return new Promise(() => {});
    if (fault === "none") return Promise.resolve().then(verb);
    const due = performance.now() + fault.lateMs;
    return new Promise((resolve, reject) => {
      const answer = (): void => (performance.now() >= due - 1 ? resolve(verb()) : reject(new Error("early")));
      // Who no longer waits for it is not kept by it.
      setTimeout(answer, fault.lateMs).unref();
    });
  }
}
