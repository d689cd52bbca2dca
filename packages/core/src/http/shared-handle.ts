import type { RequestHandle } from "./request-handle.ts";
import { latestHandle } from "./visit.ts";

/** An Express application: all its requests inherit from `request`, as do those of applications mounted in it. */
interface Application {
  readonly request?: object;
  readonly parent?: Application;
}

interface Handled {
  readonly app?: Application;
}

/** Applications whose requests inherit `rateLimit`. */
const sharing = new WeakSet<Application>();

/** Whether somebody else writes `rateLimit` on requests, which hides what they inherit. */
let contested = false;

/**
 * Shows a request, as `rateLimit`, what limiters made of it. V8 gives each request of Express a shape of its own, so that
 * a property added to one costs as much as the limiter; what all of them inherit is added once.
 */
export function shareHandle(request: object): void {
  const { app } = request as Handled;
  if (app !== undefined && (sharing.has(app) || share(app)) && !contested) return;
  // Where it cannot be written, as on requests that @aforo/fastify has decorated, it is there.
  Reflect.set(request, "rateLimit", latestHandle(request));
}

/** Whether requests of the application inherit `rateLimit` from now on. */
function share(app: Application): boolean {
  let root = app;
  while (root.parent !== undefined) root = root.parent;
  const { request } = root;
  if (request === undefined || (!sharing.has(root) && "rateLimit" in request)) return false;
  if (!sharing.has(root)) Object.defineProperty(request, "rateLimit", { get: latest, set: own, configurable: true });
  sharing.add(root).add(app);
  return true;
}

function latest(this: object): RequestHandle | undefined {
  return latestHandle(this);
}

function own(this: object, value: unknown): void {
  contested = true;
  Object.defineProperty(this, "rateLimit", { value, writable: true, enumerable: true, configurable: true });
}
