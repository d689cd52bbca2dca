import fc from "fast-check";
import type { AlgorithmName } from "../domain/algorithm-name.ts";
import { CASE_EPOCH } from "./manual-clock.ts";

/** When histories begin; not at the edge of any window. */
export const START: number = CASE_EPOCH + 123_457;

/** A policy in plain numbers, and the limits that it has in turn. */
export interface HistoryPolicy {
  readonly algorithm: AlgorithmName;
  readonly window: number;
  readonly limits: readonly number[];
  readonly burst: number | undefined;
  readonly delayAfter: number | undefined;
  readonly shadow: boolean;
}

export type HistoryStep = {
  /** Ms since the step before; negative where the clock steps back. */
  readonly wait: number;
  /** Which of its limits each policy has. */
  readonly limit: number;
  /** By policy: which key, and how many units. */
  readonly keys: readonly number[];
  readonly costs: readonly number[];
} & (
  | { readonly op: "consume" | "peek" | "charge" | "reset" | "inspect" }
  | { readonly op: "raise" | "refund"; /** How many decisions ago. */ readonly ago: number }
  | { readonly op: "block"; readonly ms: number }
);

export interface History {
  readonly policies: readonly HistoryPolicy[];
  readonly steps: readonly HistoryStep[];
}

export interface HistoryOptions {
  readonly algorithms: readonly AlgorithmName[];
  /** At most. */
  readonly policies: number;
  /** On how many different keys one call may be. */
  readonly keysPerCall: number;
}

/** Few and small numbers, so that edges are met and keys come back, and now and then the largest there are. */
export function historyOf({ algorithms, policies, keysPerCall }: HistoryOptions): fc.Arbitrary<History> {
  return fc.array(policyOf(algorithms), { minLength: 1, maxLength: policies }).chain((each) =>
    fc.record({
      policies: fc.constant(each),
      steps: fc.array(stepOf(each, keysPerCall), { maxLength: 40, size: "max" }),
    }),
  );
}

function policyOf(algorithms: readonly AlgorithmName[]): fc.Arbitrary<HistoryPolicy> {
  return fc.constantFrom(...algorithms).chain((algorithm) => {
    const bucket = algorithm === "token-bucket" || algorithm === "leaky-bucket";
    const bursts = bucket || algorithm === "gcra";
    const small = fc.record({
      algorithm: fc.constant(algorithm),
      window: fc.constantFrom(7, 10, 333, 1_000, 1_001, 60_000),
      limits: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
      burst: bursts ? fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }) : fc.constant(undefined),
      delayAfter:
        algorithm === "leaky-bucket" ? fc.option(fc.nat({ max: 8 }), { nil: undefined }) : fc.constant(undefined),
      shadow: fc.boolean().map((value) => value && algorithms.length > 1),
    });
    // Large enough that products pass 2^53 where they may.
    const large: HistoryPolicy = {
      algorithm,
      window: bursts ? 2 ** 20 : 2 ** 35,
      limits: bursts ? [2 ** 30 + 1] : [2 ** 50, 2 ** 50 - 1, 2 ** 32 + 1],
      burst: bucket ? 2 ** 31 - 1 : undefined,
      delayAfter: undefined,
      shadow: false,
    };
    const largeGcra: HistoryPolicy = { ...large, window: 4_093 * 1_000, limits: [4_091 * 1_000], burst: 2 ** 20 };
    return fc.oneof(
      { weight: 5, arbitrary: small },
      { weight: 1, arbitrary: fc.constant(algorithm === "gcra" ? largeGcra : large) },
    );
  });
}

function stepOf(policies: readonly HistoryPolicy[], keysPerCall: number): fc.Arbitrary<HistoryStep> {
  const each = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
    fc.array(value, { minLength: policies.length, maxLength: policies.length });
  const key = fc.nat({ max: 1 });
  const common = {
    wait: fc.oneof(
      { weight: 5, arbitrary: waitOf(policies) },
      { weight: 1, arbitrary: waitOf(policies).map((ms) => -ms) },
    ),
    limit: fc.nat({ max: 2 }),
    keys: keysPerCall === 1 ? key.map((only) => policies.map(() => only)) : each(key),
    costs: each(costOf(policies)),
  };
  const plain = <O extends "consume" | "peek" | "charge" | "reset" | "inspect">(op: O) =>
    fc.record({ ...common, op: fc.constant(op) });
  const later = <O extends "raise" | "refund">(op: O) =>
    fc.record({ ...common, op: fc.constant(op), ago: fc.nat({ max: 5 }) });
  const ms = fc.oneof(fc.constant(0), waitOf(policies));
  return fc.oneof<fc.MaybeWeightedArbitrary<HistoryStep>[]>(
    { weight: 12, arbitrary: plain("consume") },
    { weight: 2, arbitrary: plain("charge") },
    { weight: 3, arbitrary: later("refund") },
    { weight: 3, arbitrary: later("raise") },
    { weight: 1, arbitrary: plain("peek") },
    { weight: 1, arbitrary: plain("inspect") },
    { weight: 1, arbitrary: plain("reset") },
    { weight: 1, arbitrary: fc.record({ ...common, op: fc.constant("block" as const), ms }) },
  );
}

/** Nothing, a little, about a window, or exact parts of one. */
function waitOf(policies: readonly HistoryPolicy[]): fc.Arbitrary<number> {
  return fc
    .constantFrom(...policies.map(({ window }) => window))
    .chain((window) =>
      fc.oneof(
        fc.constant(0),
        fc.nat({ max: 3 }),
        fc.nat({ max: window }),
        fc.nat({ max: 4 * window }),
        fc.constantFrom(Math.floor(window / 2), window - 1, window, window + 1, 2 * window),
      ),
    );
}

function costOf(policies: readonly HistoryPolicy[]): fc.Arbitrary<number> {
  const most = Math.max(...policies.flatMap(({ limits }) => limits));
  return fc.oneof(
    { weight: 4, arbitrary: fc.nat({ max: 3 }) },
    { weight: 2, arbitrary: fc.nat({ max: 25 }) },
    { weight: most > 100 ? 4 : 0, arbitrary: fc.integer({ min: 2 ** 29, max: 2 ** 31 }) },
    { weight: 1, arbitrary: fc.constant(2 ** 31) },
  );
}
