import fc from "fast-check";
import type { AlgorithmName } from "../../src/domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import { policyOf, type State } from "./state.ts";

export const WINDOW_ALGORITHMS = ["fixed-window", "sliding-window-log", "sliding-window-counter"] as const;
export const BUCKET_ALGORITHMS = ["token-bucket", "gcra", "leaky-bucket"] as const;

/** Somewhere within a window, whatever its length. */
export const START = 1_700_000_123_457;

/** Policies whose edges are met often. */
export function smallPolicy(algorithm: AlgorithmName): fc.Arbitrary<ResolvedPolicy> {
  const bucket = (BUCKET_ALGORITHMS as readonly string[]).includes(algorithm);
  return fc
    .record({
      limit: fc.integer({ min: 1, max: 20 }),
      window: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1_000, 1_001, 60_000)),
      burst: bucket ? fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }) : fc.constant(undefined),
      delayAfter: algorithm === "leaky-bucket" ? fc.nat({ max: 20 }) : fc.constant(undefined),
    })
    .map((numbers) => policyOf(algorithm, numbers));
}

/** Policies whose products pass 2^53 where the algorithm copes with that, or come near it. */
export function largePolicy(algorithm: AlgorithmName): fc.Arbitrary<ResolvedPolicy> {
  if (algorithm === "gcra") {
    return fc
      .record({ rate: fc.integer({ min: 2_000, max: 4_000 }), window: fc.integer({ min: 1, max: 2_000 }) })
      .map(({ rate, window }) => policyOf(algorithm, { limit: rate * window, window: 2_001 * window, burst: 2 ** 31 }));
  }
  if ((BUCKET_ALGORITHMS as readonly string[]).includes(algorithm)) {
    return fc
      .record({ limit: fc.integer({ min: 2 ** 13, max: 2 ** 31 }), window: fc.integer({ min: 2 ** 19, max: 2 ** 20 }) })
      .map(({ limit, window }) => policyOf(algorithm, { limit, window, burst: 2 ** 31 }));
  }
  return fc
    .record({ limit: fc.integer({ min: 2 ** 40, max: 2 ** 50 }), window: fc.integer({ min: 2 ** 30, max: 2 ** 41 }) })
    .map((numbers) => policyOf(algorithm, numbers));
}

/** Something that happens to a state. */
export interface Happening {
  readonly kind: "consume" | "charge" | "refund";
  readonly wait: number;
  readonly cost: number;
}

/** Happenings whose waits and costs suit the policy. */
export function happenings(
  policy: ResolvedPolicy,
  kinds: readonly Happening["kind"][],
  maxLength: number = 30,
): fc.Arbitrary<Happening[]> {
  const most = Math.max(1, policy.capacity);
  const span = Math.max(1, policy.span);
  return fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      wait: fc.oneof(
        fc.constant(0),
        fc.nat({ max: 3 }),
        fc.nat({ max: Math.ceil(span / most) }),
        fc.nat({ max: span }),
        fc.constantFrom(span - 1, span, 2 * span),
      ),
      cost: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: Math.min(most, 2 ** 31) })),
    }),
    { maxLength, size: "max" },
  );
}

/** Lets it all happen, refunds going to the newest charge; answers the time at the end. */
export function happen(state: State, each: readonly Happening[], after?: (now: number) => void): number {
  let now = START;
  let newest: number | undefined;
  for (const { kind, wait, cost } of each) {
    now += wait;
    if (kind === "consume") newest = state.consume(now, cost) ?? newest;
    else if (kind === "charge") state.charge(now, cost);
    else if (newest !== undefined) state.refund(now, newest, cost);
    after?.(now);
  }
  return now;
}
