import type { Attributes, Meter, ObservableResult } from "@opentelemetry/api";

interface Counted {
  readonly attributes: Attributes;
  count: number;
}

/**
 * A counter that sums up here and tells its sums when they are collected: an SDK looks its attributes up anew for each
 * increment, which costs more than a decision does.
 */
export class Tally {
  readonly #names: readonly string[];
  readonly #counts = new Map<string, Counted>();
  readonly #stop: () => void;

  /** @param names - of the attributes, in the order in which {@link add} is given their values. */
  constructor(meter: Meter, name: string, unit: string, description: string, names: readonly string[]) {
    this.#names = names;
    const counter = meter.createObservableCounter(name, { unit: `{${unit}}`, description });
    const observe = (result: ObservableResult): void => {
      for (const { attributes, count } of this.#counts.values()) result.observe(count, attributes);
    };
    counter.addCallback(observe);
    this.#stop = () => counter.removeCallback(observe);
  }

  /** Adds one. @param values - of which none holds a line break. */
  add(...values: readonly (string | number | undefined)[]): void {
    const name = values.join("\n");
    const counted = this.#counts.get(name);
    if (counted === undefined) this.#counts.set(name, { attributes: this.#attributesOf(values), count: 1 });
    else counted.count++;
  }

  stop(): void {
    this.#stop();
  }

  /** Without what is undefined: exporters would make an empty label of it. */
  #attributesOf(values: readonly (string | number | undefined)[]): Attributes {
    const attributes: Attributes = {};
    for (const [index, value] of values.entries())
      if (value !== undefined) attributes[this.#names[index] as string] = value;
    return attributes;
  }
}
