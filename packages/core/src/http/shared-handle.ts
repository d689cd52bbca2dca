import { IncomingMessage } from "node:http";
import type { RequestHandle } from "./request-handle.ts";
import { latestHandle } from "./visit.ts";

interface Handled {
  readonly rateLimit?: unknown;
}

/**
 * Shows a request, as `rateLimit`, what limiters made of it. V8 gives each request of Express a shape of its own, so that
 * a property added to one costs as much as the limiter; what all of them inherit is added once. A request that does
 * not inherit it, or on which somebody else wrote another, gets a property of its own.
 */
export function shareHandle(request: object): void {
  const handle = latestHandle(request);
  if (shows(request, handle) || (share(request) && shows(request, handle))) return;
  // Where it cannot be written, as on requests that @aforo/fastify has decorated, it is there.
  Reflect.set(request, "rateLimit", handle);
}

function shows(request: Handled, handle: RequestHandle | undefined): boolean {
  return request.rateLimit === handle;
}

/** Has all requests inherit `rateLimit` that descend from the same base as this one. Whether they do now. */
function share(request: object): boolean {
  const base = baseOf(request);
  if (base === undefined || "rateLimit" in base) return false;
  return Reflect.defineProperty(base, "rateLimit", { get: latest, set: own, configurable: true });
}

/** What a framework has all its requests inherit, over Node's own: `express.request`. */
function baseOf(request: object): object | undefined {
  for (let base: unknown = Object.getPrototypeOf(request); typeof base === "object" && base !== null;) {
    const next: unknown = Object.getPrototypeOf(base);
    if (next === IncomingMessage.prototype) return base;
    base = next;
  }
  return undefined;
}

function latest(this: object): RequestHandle | undefined {
  return latestHandle(this);
}

function own(this: object, value: unknown): void {
  Reflect.defineProperty(this, "rateLimit", { value, writable: true, enumerable: true, configurable: true });
}
