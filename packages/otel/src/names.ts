/** Names of all metrics, in OpenTelemetry's style; exporters adapt them to theirs. */
export const METRICS = {
  /** Counter, `{decision}`: requests decided, by limiter, policy, class, outcome, reason and source. */
  decisions: "aforo.decisions",
  /** Counter, `{decision}`: decisions that replaced an earlier one of the same request; the same attributes. */
  raises: "aforo.raises",
  /** Counter, `{response}`: decided requests whose responses are complete, by limiter, outcome and status. */
  responses: "aforo.responses",
  /** Counter, `{decision}`: what shadow policies would have done beside the live decision. */
  shadowDecisions: "aforo.shadow.decisions",
  /** Histogram, s: what denied requests are told to wait. */
  wait: "aforo.wait",
  /** Histogram, s: how long admitted requests are held back by a leaky bucket. */
  delay: "aforo.delay",
  /** Histogram, s: calls of stores, by verb; with `error.type` those that failed. */
  storeCallDuration: "aforo.store.call.duration",
  /** Counter, `{transition}`: a store stopped deciding (`down`) or resumed (`up`). */
  storeTransitions: "aforo.store.transitions",
  /** Gauge: 1 while a limiter goes past its failing store, else 0. */
  storeDown: "aforo.store.down",
  /** Gauge, `{key}`: distinct keys that a policy was asked about lately, an estimate. */
  distinctKeys: "aforo.keys.distinct",
  /** Counter, `{operation}`: keys blocked, reset or charged by hand. */
  keyOperations: "aforo.key.operations",
  /** Counter, `{event}`: keys near their limit, and whatever went wrong in application functions. */
  events: "aforo.events",
} as const;

/** Names of all attributes, on metrics and spans. None of them ever holds a key. */
export const ATTRIBUTES = {
  limiter: "aforo.limiter",
  /** The binding policy. */
  policy: "aforo.policy",
  /** The cost class. */
  class: "aforo.class",
  /** `admitted` or `denied`. */
  outcome: "aforo.outcome",
  reason: "aforo.reason",
  /** Who decided: `store`, `deny-cache`, `local`, `fail-open` or `fail-closed`. */
  source: "aforo.source",
  /** `agree`, `would-deny` or `would-allow`. */
  verdict: "aforo.verdict",
  /** The store's kind. */
  store: "aforo.store",
  verb: "aforo.store.verb",
  state: "aforo.store.state",
  operation: "aforo.key.operation",
  event: "aforo.event.type",
  /** Spans only: whole units left of the binding policy. */
  remaining: "aforo.remaining",
  /** Spans only: seconds until the same request would be admitted. */
  wait: "aforo.wait",
  status: "http.response.status_code",
  error: "error.type",
} as const;
