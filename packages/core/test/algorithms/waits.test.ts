import fc from "fast-check";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { MAX_COST } from "../../src/algorithms/algorithm.ts";
import { happen, happenings, largePolicy, smallPolicy } from "../support/arbitraries.ts";
import { stateOf } from "../support/state.ts";

for (const algorithm of ALGORITHMS) {
  describe(`algorithm ${algorithm}`, () => {
    const policies = fc.oneof(smallPolicy(algorithm), largePolicy(algorithm));
    const situations = policies.chain((policy) =>
      fc.record({
        policy: fc.constant(policy),
        each: happenings(policy, ["consume", "consume", "charge", "refund"]),
        later: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -policy.span, max: policy.span })),
        cost: fc.oneof(
          fc.constantFrom(1, Math.min(policy.capacity, MAX_COST)),
          fc.integer({ min: 1, max: Math.min(policy.capacity, MAX_COST) }),
        ),
      }),
    );

    test("property: the announced wait is exact, even where the clock stepped back", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, later, cost }) => {
          const state = stateOf(policy);
          const now = happen(state, each) + later;
          const { allowed, retryAfterMs } = state.look(now, cost);
          if (allowed) {
            expect(retryAfterMs).toBe(0);
            return;
          }
          expect(retryAfterMs).toBeGreaterThanOrEqual(1);
          expect(state.look(now + retryAfterMs - 1, cost).allowed).toBe(false);
          expect(state.look(now + retryAfterMs, cost).allowed).toBe(true);
        }),
        { numRuns: 500 },
      );
    });

    test("property: the whole capacity is there at the announced reset, and not before", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, later }) => {
          const state = stateOf(policy);
          const now = happen(state, each) + later;
          const { resetMs } = state.look(now);
          expect(state.look(now + resetMs).remaining).toBe(policy.capacity);
          if (resetMs > 0) expect(state.look(now + resetMs - 1).remaining).toBeLessThan(policy.capacity);
        }),
        { numRuns: 500 },
      );
    });

    test("property: remaining is the dearest cost that would be admitted", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, later }) => {
          const state = stateOf(policy);
          const now = happen(state, each) + later;
          const { remaining } = state.look(now);
          expect(remaining).toBeGreaterThanOrEqual(0);
          if (remaining > 0) expect(state.look(now, remaining).allowed).toBe(true);
          expect(state.look(now, remaining + 1).allowed).toBe(false);
        }),
        { numRuns: 500 },
      );
    });

    test("property: a state is stale exactly when it reads as never seen", () => {
      fc.assert(
        fc.property(situations, ({ policy, each }) => {
          const state = stateOf(policy);
          happen(
            state,
            each.filter(({ kind }) => kind !== "refund"),
          );
          const staleAt = state.staleAt();
          const fresh = stateOf(policy);
          if (state.cells().every((cell) => cell === 0)) {
            expect(staleAt).toBe(0);
            return;
          }
          expect(state.read(staleAt)).toEqual({ ...fresh.read(staleAt), first: state.read(staleAt).first });
          const before = state.read(staleAt - 1);
          expect(before.used + (algorithm === "sliding-window-counter" ? before.previous : 0)).toBeGreaterThan(0);
        }),
        { numRuns: 500 },
      );
    });
  });
}

test("the wait for more than the capacity is never over", () => {
  for (const algorithm of ALGORITHMS) {
    fc.assert(
      fc.property(smallPolicy(algorithm), (policy) => {
        expect(stateOf(policy).look(0, policy.capacity + 1).retryAfterMs).toBe(Infinity);
        expect(stateOf(policy).look(0, MAX_COST).retryAfterMs).toBe(Infinity);
      }),
    );
  }
});
