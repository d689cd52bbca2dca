import { newReading, type Reading } from "../../src/algorithms/algorithm.ts";
import { algorithmOf } from "../../src/algorithms/index.ts";
import { resolvePolicy, type ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import type { AlgorithmName } from "../../src/domain/algorithm-name.ts";

/** Everything that an algorithm says of a cost at one moment. */
export interface Look {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetMs: number;
  readonly retryAfterMs: number;
}

/** One state of one policy, moved by hand: the algorithm without a store. */
export interface State {
  look(now: number, cost?: number): Look;
  /** Admits and charges, or denies; answers the receipt, or `undefined` for a denial. */
  consume(now: number, cost: number): number | undefined;
  charge(now: number, cost: number): void;
  refund(now: number, receipt: number, cost: number): void;
  read(now: number): Reading;
  staleAt(): number;
  cells(): Float64Array;
}

export function stateOf(
  policy: ResolvedPolicy,
  initial: Float64Array = new Float64Array(algorithmOf(policy.algorithm).width),
): State {
  const algorithm = algorithmOf(policy.algorithm);
  let cells = initial;

  function read(now: number): Reading {
    const reading = newReading();
    algorithm.read(policy, cells, 0, now, reading);
    return reading;
  }

  return {
    look(now, cost = 1) {
      const reading = read(now);
      const allowed = algorithm.admits(policy, reading, cost);
      return {
        allowed,
        remaining: algorithm.remaining(policy, reading),
        resetMs: algorithm.resetMs(policy, reading, cells, 0),
        retryAfterMs: allowed ? 0 : algorithm.retryAfterMs(policy, reading, cost, cells, 0),
      };
    },
    consume(now, cost) {
      const reading = read(now);
      if (!algorithm.admits(policy, reading, cost)) return undefined;
      algorithm.take(policy, reading, cost);
      cells = algorithm.write(policy, reading, cells, 0);
      return algorithm.receipt(reading);
    },
    charge(now, cost) {
      const reading = read(now);
      algorithm.owe(policy, reading, cost);
      cells = algorithm.write(policy, reading, cells, 0);
    },
    refund: (now, receipt, cost) => algorithm.refund(policy, cells, 0, now, receipt, cost),
    read,
    staleAt: () => algorithm.staleAt(policy, cells, 0),
    cells: () => cells,
  };
}

/** A policy in plain numbers. */
export interface Numbers {
  readonly limit: number;
  readonly window: number;
  readonly burst?: number | undefined;
  readonly delayAfter?: number | undefined;
}

export function policyOf(algorithm: AlgorithmName, { limit, window, burst, delayAfter }: Numbers): ResolvedPolicy {
  return resolvePolicy(
    { limiter: "test", name: "p", algorithm, shadow: false, limit, window, burst, delayAfter },
    "limit",
  );
}
