export type { AlgorithmName } from "./domain/algorithm-name.ts";
export type { Clock } from "./domain/clock.ts";
export { policyDecision } from "./domain/decision.ts";
export type { Decision, Measured, PolicyDecision, Reason, Receipt, Source } from "./domain/decision.ts";
export { AforoError, ConfigError, ERROR_CODES, StoreError } from "./domain/errors.ts";
export type { ErrorCode } from "./domain/errors.ts";
export type { CheckedPolicy, Limit, Policy, StoreErrorPolicy } from "./domain/policy.ts";
export type { ResolvedPolicy } from "./domain/resolved-policy.ts";
export type {
  Answer,
  Answering,
  AsyncStore,
  CallOptions,
  Charge,
  Check,
  MaybePromise,
  RaiseCheck,
  Refund,
  Reply,
  StateView,
  Store,
  SyncStore,
} from "./domain/store.ts";
export { createLimiter } from "./limiter/create-limiter.ts";
export type { SyncPolicy } from "./limiter/create-limiter.ts";
export type { LimiterOptions } from "./limiter/limiter-options.ts";
export type { Ask, Costs, Keys, Limiter, Peek } from "./limiter/limiter.ts";
export { memoryStore } from "./memory/memory-store.ts";
export type { MemoryStore } from "./memory/memory-store.ts";
export type { MemoryStoreOptions } from "./memory/memory-store-options.ts";
export { CHANNELS } from "./observe/channels.ts";
export type { EventListener, EventType, LimiterEvent } from "./observe/events.ts";
export { recordHash } from "./observe/key-digest.ts";
export type { DecisionListener } from "./observe/observer.ts";
export type {
  DecisionRecord,
  KeyRecord,
  PenaltyMessage,
  PolicyRecord,
  ShadowRecord,
  StoreCallMessage,
  StoreMessage,
  StoreStateMessage,
  StoreVerb,
  Verdict,
} from "./observe/records.ts";
export type { Sample, SampleShares } from "./observe/sampler.ts";
export { createShaper } from "./shaper/create-shaper.ts";
export type { ShaperOptions } from "./shaper/create-shaper.ts";
export type { JobContext } from "./shaper/job.ts";
export type { RunOptions, Shaper } from "./shaper/shaper.ts";
export { allOf, firstOf } from "./identity/combine.ts";
export type { AllKeys } from "./identity/combine.ts";
export { apiKey } from "./identity/api-key.ts";
export type { ApiKeyKeys, ApiKeyOptions, ApiKeyVerdict } from "./identity/api-key.ts";
export { ip } from "./identity/ip.ts";
export type { IpExtractor, IpKeys, IpOptions } from "./identity/ip.ts";
export type { KeyContext, KeyExtractor, KeyFunction, KeySource, KeyValue, PreparedKey } from "./identity/key-source.ts";
export { normalizeIdentifier } from "./identity/normalize-identifier.ts";
export type { Id, RequestUser, RequestView } from "./identity/request-view.ts";
export { route } from "./identity/route.ts";
export type { RouteKeys } from "./identity/route.ts";
export { trustedHeader } from "./identity/trusted-header.ts";
export type { HeaderKeys } from "./identity/trusted-header.ts";
export { user } from "./identity/user.ts";
export type { UserKeys } from "./identity/user.ts";
export { byRoute } from "./http/by-route.ts";
export type { HeaderOptions } from "./http/header-options.ts";
export type {
  ClassOptions,
  CustomResponse,
  HttpPolicy,
  PolicyShorthand,
  RateLimitOptions,
  RejectionView,
  ResponseView,
} from "./http/options.ts";
export type { RejectionError } from "./http/outcome.ts";
export type { RequestHandle } from "./http/request-handle.ts";
