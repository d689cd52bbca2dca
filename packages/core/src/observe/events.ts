/** Something an operator should know of that is no decision. */
export interface LimiterEvent {
  /**
   * - `store-down`, `store-up`: the store stopped or resumed deciding; once per transition.
   * - `store-error`: one call failed.
   * - `bad-cost`, `bad-key`, `key-failed`, `limit-failed`, `unknown-class`, `skip-failed`, `classify-failed`, `settle-failed`, `respond-failed`: a function or value of the
   *   application was unusable; the documented fallback was used.
   * - `near-limit`: what is used reached the configured ratio of the capacity.
   */
  readonly type: EventType;
  readonly limiter: string;
  readonly policy?: string | undefined;
  readonly error?: unknown;
  /** Further facts, all plain values; never a raw key. */
  readonly detail?: Readonly<Record<string, unknown>> | undefined;
}

export type EventType =
  | "store-down"
  | "store-up"
  | "store-error"
  | "bad-cost"
  | "bad-key"
  | "key-failed"
  | "limit-failed"
  | "unknown-class"
  | "skip-failed"
  | "classify-failed"
  | "settle-failed"
  | "respond-failed"
  | "near-limit";

/** Told of every event; what it throws is swallowed. */
export type EventListener = (event: LimiterEvent) => void;
