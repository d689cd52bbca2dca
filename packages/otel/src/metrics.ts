import type { DecisionRecord, LimiterEvent, StoreCallMessage, StoreMessage } from "@aforo/core";
import type { Attributes, Histogram, Meter } from "@opentelemetry/api";
import { ATTRIBUTES, METRICS } from "./names.ts";
import { Tally } from "./tally.ts";

const WAIT_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 86_400];
const CALL_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

const { limiter, policy, outcome, reason, source, class: cost, store } = ATTRIBUTES;
const DECISION = [limiter, policy, outcome, reason, source, cost];

/** Counts what the channels tell. */
export class Metrics {
  readonly #decisions: Tally;
  readonly #raises: Tally;
  readonly #responses: Tally;
  readonly #shadowDecisions: Tally;
  readonly #storeTransitions: Tally;
  readonly #keyOperations: Tally;
  readonly #events: Tally;
  readonly #wait: Histogram;
  readonly #delay: Histogram;
  readonly #storeCallDuration: Histogram;

  constructor(meter: Meter) {
    const tally = (name: string, unit: string, description: string, attributes: readonly string[]): Tally =>
      new Tally(meter, name, unit, description, attributes);
    const histogram = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
      meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries } });
    const { status, verdict, state, operation, event } = ATTRIBUTES;
    this.#decisions = tally(METRICS.decisions, "decision", "Requests decided.", DECISION);
    this.#raises = tally(METRICS.raises, "decision", "Decisions that replaced an earlier one of a request.", DECISION);
    this.#responses = tally(METRICS.responses, "response", "Decided requests whose responses are complete.", [
      limiter,
      outcome,
      status,
    ]);
    this.#shadowDecisions = tally(METRICS.shadowDecisions, "decision", "What shadow policies would have done.", [
      limiter,
      policy,
      verdict,
    ]);
    this.#storeTransitions = tally(METRICS.storeTransitions, "transition", "Stores that stopped or resumed deciding.", [
      limiter,
      store,
      state,
    ]);
    this.#keyOperations = tally(METRICS.keyOperations, "operation", "Keys blocked, reset or charged by hand.", [
      limiter,
      operation,
    ]);
    this.#events = tally(METRICS.events, "event", "Keys near their limit, and what went wrong in applications.", [
      limiter,
      event,
      policy,
    ]);
    this.#wait = histogram(METRICS.wait, "What denied requests are told to wait.", WAIT_SECONDS);
    this.#delay = histogram(METRICS.delay, "How long admitted requests are held back.", WAIT_SECONDS);
    this.#storeCallDuration = histogram(METRICS.storeCallDuration, "Calls of stores.", CALL_SECONDS);
  }

  decision(record: DecisionRecord): void {
    const { waitMs, delayMs, shadows } = record;
    const tally = record.raised ? this.#raises : this.#decisions;
    tally.add(record.limiter, record.policy, record.decision, record.reason, record.source, record.class);
    if (waitMs !== null && waitMs > 0) this.#wait.record(waitMs / 1_000, about(record));
    if (delayMs > 0) this.#delay.record(delayMs / 1_000, about(record));
    for (const shadow of shadows) this.#shadowDecisions.add(record.limiter, shadow.policy, shadow.verdict);
  }

  response(record: DecisionRecord): void {
    this.#responses.add(record.limiter, record.decision, record.status);
  }

  store(message: StoreMessage): void {
    if (message.type === "call") this.#storeCall(message);
    else if (message.type === "down" || message.type === "up")
      this.#storeTransitions.add(message.limiter, message.store, message.type);
    else this.#keyOperations.add(message.limiter, message.type);
  }

  event(event: LimiterEvent): void {
    this.#events.add(event.limiter, event.type, event.policy);
  }

  stop(): void {
    for (const tally of [this.#decisions, this.#raises, this.#responses, this.#shadowDecisions]) tally.stop();
    for (const tally of [this.#storeTransitions, this.#keyOperations, this.#events]) tally.stop();
  }

  #storeCall(call: StoreCallMessage): void {
    // A call within this process takes less time than it takes to record.
    if (call.store === "memory") return;
    const attributes: Attributes = {
      [limiter]: call.limiter,
      [store]: call.store,
      [ATTRIBUTES.verb]: call.verb,
      [source]: call.source,
    };
    if (call.error !== undefined) attributes[ATTRIBUTES.error] = call.error;
    this.#storeCallDuration.record(call.durationMs / 1_000, attributes);
  }
}

function about(record: DecisionRecord): Attributes {
  return record.policy === undefined
    ? { [limiter]: record.limiter }
    : { [limiter]: record.limiter, [policy]: record.policy };
}
