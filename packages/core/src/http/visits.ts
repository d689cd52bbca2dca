/**
 * Where limiters remember what they made of a request. Frameworks that shape their requests beforehand may declare it
 * there (initially `undefined`), which spares a hidden-class change for each request.
 */
export const VISITS: unique symbol = Symbol("aforo.visits");

/** A visit, as far as it matters here. */
export interface Carried {
  readonly view: { readonly raw: unknown };
}

/** What the visits of a request are remembered on; `V` is what a visit is. */
export interface Carrier<V extends Carried> {
  [VISITS]?: V | undefined;
}

/**
 * The list of raw headers, where the request has one of its own: Express changes the prototype of each request, so that
 * V8 gives each a shape of its own, and a property more costs as much as the decision. Else the request itself.
 */
export function carrierOf<V extends Carried>(raw: unknown): Carrier<V> {
  const { rawHeaders } = raw as { readonly rawHeaders?: unknown };
  if (!Array.isArray(rawHeaders)) return raw as Carrier<V>;
  const carried = (rawHeaders as Carrier<V>)[VISITS];
  const isOurs = carried === undefined ? Object.isExtensible(rawHeaders) : isSame(carried.view.raw, raw);
  return (isOurs ? rawHeaders : raw) as Carrier<V>;
}

/** Remembers a visit. Where only those look who know of it, since others compare and print lists. */
export function carry<V extends Carried>(carrier: Carrier<V>, visit: V): void {
  if (Array.isArray(carrier)) Reflect.defineProperty(carrier, VISITS, { value: visit, writable: true });
  else carrier[VISITS] = visit;
}

/** Whether two objects stand for one request: one may inherit from the other. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || isPrototype(one, other) || isPrototype(other, one);
}

function isPrototype(base: unknown, heir: unknown): boolean {
  return Object.prototype.isPrototypeOf.call(base as object, heir as object);
}
