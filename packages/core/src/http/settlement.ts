import type { MaybePromise } from "../domain/store.ts";
import type { RequestView } from "../identity/request-view.ts";
import { isPromise } from "../limiter/maybe.ts";
import type { RateLimitOptions, ResponseView } from "./options.ts";

/** Says what a request cost in the end; `undefined` leaves the charge as it is. May throw or reject. */
export type Settlement = (response: ResponseView, request: RequestView) => MaybePromise<number | undefined>;

/** The settlement that the options ask for; `undefined` when the end of a response is of no interest. */
export function settlementOf<Raw, Res>(options: RateLimitOptions<Raw, string, Res>): Settlement | undefined {
  const settle = (options.settle ??
    (options.skipFailed === true ? ifFailed : options.skipSuccessful === true ? ifSuccessful : undefined)) as
    Settlement | undefined;
  return options.skipNotFound === true ? orIfNotFound(settle) : settle;
}

/** A client that leaves during a successful response has been served: it would get it for nothing by leaving at its end. */
function ifFailed({ status }: ResponseView): number | undefined {
  return status === undefined || status >= 400 ? 0 : undefined;
}

function ifSuccessful({ status }: ResponseView): number | undefined {
  return status !== undefined && status < 400 ? 0 : undefined;
}

/** Some frameworks know only afterwards that no route matched. A handler's own 404 has a route. */
function orIfNotFound(settle: Settlement | undefined): Settlement {
  return (response, request) =>
    response.status === 404 && request.route === undefined ? 0 : settle?.(response, request);
}

/** Calls a settlement; `done` gets its answer, `failed` what it throws. */
export function runSettlement(
  settlement: Settlement,
  response: ResponseView,
  request: RequestView,
  done: (cost: number | undefined) => void,
  failed: (error: unknown) => void,
): void {
  try {
    const cost = settlement(response, request);
    if (isPromise(cost)) cost.then(done).catch(failed);
    else done(cost);
  } catch (error) {
    failed(error);
  }
}
