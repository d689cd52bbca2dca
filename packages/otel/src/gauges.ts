import type { DecisionRecord, StoreMessage } from "@aforo/core";
import type { Meter, ObservableResult } from "@opentelemetry/api";
import type { DistinctKeys } from "./distinct-keys.ts";
import { ATTRIBUTES, METRICS } from "./names.ts";

/** What is as it is whenever somebody looks. */
export class Gauges {
  /** Whether each limiter goes past its store. */
  readonly #down = new Map<string, boolean>();
  readonly #stop: () => void;

  /** @param keys - left out, distinct keys are not counted. */
  constructor(meter: Meter, keys: DistinctKeys | undefined) {
    const down = meter.createObservableGauge(METRICS.storeDown, {
      description: "1 while a limiter goes past its failing store.",
    });
    const observeDown = (result: ObservableResult): void => {
      for (const [limiter, isDown] of this.#down) result.observe(isDown ? 1 : 0, { [ATTRIBUTES.limiter]: limiter });
    };
    down.addCallback(observeDown);
    const distinct = meter.createObservableGauge(METRICS.distinctKeys, {
      unit: "{key}",
      description: "Distinct keys that a policy was asked about lately, an estimate.",
    });
    const observeKeys = (result: ObservableResult): void => {
      for (const { limiter, policy, keys: count } of keys?.counts() ?? [])
        result.observe(count, { [ATTRIBUTES.limiter]: limiter, [ATTRIBUTES.policy]: policy });
    };
    if (keys !== undefined) distinct.addCallback(observeKeys);
    this.#stop = () => {
      down.removeCallback(observeDown);
      distinct.removeCallback(observeKeys);
    };
  }

  /** Each decision knows the breaker, so an outage that began earlier shows too. */
  decision({ limiter, storeDown }: DecisionRecord): void {
    if (this.#down.get(limiter) !== storeDown) this.#down.set(limiter, storeDown);
  }

  store({ limiter, type }: StoreMessage): void {
    if (type === "down" || type === "up") this.#down.set(limiter, type === "down");
  }

  stop(): void {
    this.#stop();
  }
}
