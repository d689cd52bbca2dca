import type { DecisionRecord, LimiterEvent, StoreMessage } from "@aforo/core";
import type { Attributes, Counter, Histogram, Meter } from "@opentelemetry/api";
import { ATTRIBUTES, METRICS } from "./names.ts";

const WAIT_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 86_400];
const CALL_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** Counts what the channels tell. */
export class Metrics {
  readonly #decisions: Counter;
  readonly #raises: Counter;
  readonly #responses: Counter;
  readonly #shadowDecisions: Counter;
  readonly #wait: Histogram;
  readonly #delay: Histogram;
  readonly #storeCallDuration: Histogram;
  readonly #storeTransitions: Counter;
  readonly #keyOperations: Counter;
  readonly #events: Counter;

  constructor(meter: Meter) {
    const counter = (name: string, unit: string, description: string): Counter =>
      meter.createCounter(name, { unit: `{${unit}}`, description });
    const histogram = (name: string, description: string, explicitBucketBoundaries: number[]): Histogram =>
      meter.createHistogram(name, { unit: "s", description, advice: { explicitBucketBoundaries } });
    this.#decisions = counter(METRICS.decisions, "decision", "Requests decided.");
    this.#raises = counter(METRICS.raises, "decision", "Decisions that replaced an earlier one of the same request.");
    this.#responses = counter(METRICS.responses, "response", "Decided requests whose responses are complete.");
    this.#shadowDecisions = counter(METRICS.shadowDecisions, "decision", "What shadow policies would have done.");
    this.#wait = histogram(METRICS.wait, "What denied requests are told to wait.", WAIT_SECONDS);
    this.#delay = histogram(METRICS.delay, "How long admitted requests are held back.", WAIT_SECONDS);
    this.#storeCallDuration = histogram(METRICS.storeCallDuration, "Calls of stores.", CALL_SECONDS);
    this.#storeTransitions = counter(
      METRICS.storeTransitions,
      "transition",
      "Stores that stopped or resumed deciding.",
    );
    this.#keyOperations = counter(METRICS.keyOperations, "operation", "Keys blocked, reset or charged by hand.");
    this.#events = counter(METRICS.events, "event", "Keys near their limit, and what went wrong in applications.");
  }

  decision(record: DecisionRecord): void {
    const { limiter, policy, waitMs, delayMs, shadows } = record;
    (record.raised ? this.#raises : this.#decisions).add(1, decisionAttributes(record));
    const about = defined({ [ATTRIBUTES.limiter]: limiter, [ATTRIBUTES.policy]: policy });
    if (waitMs !== null && waitMs > 0) this.#wait.record(waitMs / 1_000, about);
    if (delayMs > 0) this.#delay.record(delayMs / 1_000, about);
    for (const shadow of shadows) {
      this.#shadowDecisions.add(1, {
        [ATTRIBUTES.limiter]: limiter,
        [ATTRIBUTES.policy]: shadow.policy,
        [ATTRIBUTES.verdict]: shadow.verdict,
      });
    }
  }

  response({ limiter, decision, status }: DecisionRecord): void {
    const outcome = { [ATTRIBUTES.limiter]: limiter, [ATTRIBUTES.outcome]: decision, [ATTRIBUTES.status]: status };
    this.#responses.add(1, defined(outcome));
  }

  store(message: StoreMessage): void {
    const about = { [ATTRIBUTES.limiter]: message.limiter, [ATTRIBUTES.store]: message.store };
    switch (message.type) {
      case "call":
        this.#storeCallDuration.record(
          message.durationMs / 1_000,
          defined({
            ...about,
            [ATTRIBUTES.verb]: message.verb,
            [ATTRIBUTES.source]: message.source,
            [ATTRIBUTES.error]: message.error,
          }),
        );
        return;
      case "down":
      case "up":
        this.#storeTransitions.add(1, { ...about, [ATTRIBUTES.state]: message.type });
        return;
      default:
        this.#keyOperations.add(1, { ...about, [ATTRIBUTES.operation]: message.type });
    }
  }

  event({ limiter, type, policy }: LimiterEvent): void {
    const about = { [ATTRIBUTES.limiter]: limiter, [ATTRIBUTES.event]: type, [ATTRIBUTES.policy]: policy };
    this.#events.add(1, defined(about));
  }
}

/** What metrics and spans say of a decision: words that the application's own configuration bounds. */
export function decisionAttributes({
  limiter,
  policy,
  decision,
  reason,
  source,
  class: name,
}: DecisionRecord): Attributes {
  return defined({
    [ATTRIBUTES.limiter]: limiter,
    [ATTRIBUTES.policy]: policy,
    [ATTRIBUTES.outcome]: decision,
    [ATTRIBUTES.reason]: reason,
    [ATTRIBUTES.source]: source,
    [ATTRIBUTES.class]: name,
  });
}

/** Without what is undefined: exporters would make an empty label of it. */
function defined(attributes: Attributes): Attributes {
  for (const name in attributes) if (attributes[name] === undefined) delete attributes[name];
  return attributes;
}
