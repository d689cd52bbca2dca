/**
 * Where limiters remember what they made of a request: on the state of its stream, which all of Node's have, else on the
 * request itself. Frameworks that shape requests of their own beforehand may declare it on those (initially
 * `undefined`), which spares a hidden-class change for each.
 */
export const VISITS: unique symbol = Symbol("aforo.visits");

/** What the visits of a request are remembered on; `V` is what a visit is. */
export interface Carrier<V> {
  [VISITS]?: V | undefined;
}

/**
 * Express changes the prototype of each request, so that V8 gives each a shape of its own, and a property more costs as
 * much as the decision. The states of streams are all of one shape, and whoever stands for a request, by inheriting from it
 * or as its proxy, shows the same one.
 */
export function carrierOf<V>(raw: unknown): Carrier<V> {
  const { _readableState: stream } = raw as { readonly _readableState?: unknown };
  return (typeof stream === "object" && stream !== null ? stream : raw) as Carrier<V>;
}
