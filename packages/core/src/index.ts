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
export type { LimiterOptions, SyncPolicy } from "./limiter/create-limiter.ts";
export type { Ask, Costs, Keys, Limiter, Peek } from "./limiter/limiter.ts";
export { memoryStore } from "./memory/memory-store.ts";
export type { MemoryStore, MemoryStoreOptions } from "./memory/memory-store.ts";
export type { EventListener, EventType, LimiterEvent } from "./observe/events.ts";
export { createShaper } from "./shaper/create-shaper.ts";
export type { ShaperOptions } from "./shaper/create-shaper.ts";
export type { JobContext } from "./shaper/job.ts";
export type { RunOptions, Shaper } from "./shaper/shaper.ts";
