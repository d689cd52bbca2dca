import fc from "fast-check";
import { ALGORITHMS, type AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import { happenings, largePolicy, smallPolicy, START, type Happening } from "../support/arbitraries.ts";
import { stateOf } from "../support/state.ts";

/** Most units that may be admitted at two moments `ms` apart and all in between. */
const BOUNDS: Record<AlgorithmName, (policy: ResolvedPolicy, ms: number, from: number) => number> = {
  "fixed-window": ({ limit, window }, ms, from) =>
    limit * (Math.floor((from + ms) / window) - Math.floor(from / window) + 1),
  "sliding-window-log": ({ limit, window }, ms) => limit * (Math.floor(ms / window) + 1),
  // What fades from the window before makes room, as refilling does; rounding down gives one unit away.
  "sliding-window-counter": ({ limit, window }, ms) => limit + (limit * ms) / window + Math.floor(ms / window) + 1,
  "token-bucket": bucketBound,
  gcra: bucketBound,
  "leaky-bucket": bucketBound,
};

function bucketBound({ capacity, limit, window }: ResolvedPolicy, ms: number): number {
  return capacity + (limit * ms) / window;
}

for (const algorithm of ALGORITHMS) {
  describe(`algorithm ${algorithm}`, () => {
    const policies = fc.oneof(
      { weight: 4, arbitrary: smallPolicy(algorithm) },
      { weight: 1, arbitrary: largePolicy(algorithm) },
    );
    const histories = (kinds: readonly Happening["kind"][]) =>
      policies.chain((policy) => fc.record({ policy: fc.constant(policy), each: happenings(policy, kinds, 60) }));

    test("property: no interval admits more than promised", () => {
      fc.assert(
        fc.property(histories(["consume"]), ({ policy, each }) => expectBounded(policy, each)),
        { numRuns: 300 },
      );
    });

    test("property: refunds add at most what they give back", () => {
      fc.assert(
        fc.property(histories(["consume", "consume", "refund"]), ({ policy, each }) => expectBounded(policy, each)),
        { numRuns: 300 },
      );
    });
  });
}

function expectBounded(policy: ResolvedPolicy, each: readonly Happening[]): void {
  const state = stateOf(policy);
  const admitted: { at: number; units: number }[] = [];
  let now = START;
  let newest: { receipt: number; left: number } | undefined;
  for (const { kind, wait, cost } of each) {
    now += wait;
    if (kind === "refund") {
      if (newest === undefined) continue;
      const units = Math.min(cost, newest.left);
      newest.left -= units;
      state.refund(now, newest.receipt, units);
      admitted.push({ at: now, units: -units });
    } else {
      const receipt = state.consume(now, cost);
      if (receipt === undefined) continue;
      newest = { receipt, left: cost };
      admitted.push({ at: now, units: cost });
    }
  }
  // Jest's expectations are too slow to ask for each of the intervals.
  const broken: string[] = [];
  for (const [from, first] of admitted.entries()) {
    let units = 0;
    for (const last of admitted.slice(from)) {
      units += last.units;
      const most = BOUNDS[policy.algorithm](policy, last.at - first.at, first.at);
      if (units > most) broken.push(`${units} units from ${first.at} to ${last.at}, at most ${most} promised`);
    }
  }
  expect(broken).toEqual([]);
}
