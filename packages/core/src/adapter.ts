/** For writers of adapters: what stands between a framework and the limiter. */
export type { RequestView, RequestUser, Id } from "./identity/request-view.ts";
export type { ResponsePort, EndListener } from "./http/response-port.ts";
export type { Outcome, Rejection, RejectionError } from "./http/outcome.ts";
export type { RequestHandle } from "./http/request-handle.ts";
export type {
  ClassOptions,
  CustomResponse,
  HttpPolicy,
  PolicyShorthand,
  RateLimitOptions,
  RejectionView,
  ResponseView,
} from "./http/options.ts";
export type { HeaderOptions } from "./http/header-options.ts";
export { createHttpLimiter } from "./http/create-http-limiter.ts";
export type { FrameworkTraits, HttpLimiter } from "./http/http-limiter.ts";
export { NodeResponsePort, hasUnreadBody, headerText, onResponseEnd } from "./http/node-port.ts";
export { UpgradePort, rejectUpgrade } from "./http/upgrade.ts";
export { answerContinue } from "./http/expect-continue.ts";
export { VISITS } from "./http/visits.ts";
export { shareHandle } from "./http/shared-handle.ts";
export { latestHandle } from "./http/visit.ts";
export { pathOf } from "./http/path.ts";
export { isPromise } from "./limiter/maybe.ts";
export { requireInteger, requireKnownOptions, requireOneOf } from "./domain/options.ts";
export { NodeExchange, type FrameworkRequest } from "./http/node-exchange.ts";
export { ReplyExchange, payloadOf, type Reply, type WrappedRequest } from "./http/reply-exchange.ts";
