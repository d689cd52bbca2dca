import type { AsyncStore, SyncStore } from "@aforo/core";

/** A store in this process that answers in a later turn of the event loop, as one across a network does. */
export function asyncStore(store: SyncStore): AsyncStore {
  return {
    sync: false,
    kind: "async",
    consume: (checks) => later(() => store.consume(checks)),
    raise: (checks) => later(() => store.raise(checks)),
    peek: (checks) => later(() => store.peek(checks)),
    charge: (checks) => later(() => store.charge(checks)),
    refund: (refunds) => later(() => store.refund(refunds)),
    reset: (checks) => later(() => store.reset(checks)),
    block: (checks, ms) => later(() => store.block(checks, ms)),
    inspect: (checks) => later(() => store.inspect(checks)),
    close: () => store.close(),
  };
}

function later<T>(answer: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(answer());
      } catch (error) {
        reject(error);
      }
    });
  });
}
