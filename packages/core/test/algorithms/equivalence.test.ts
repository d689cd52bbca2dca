import fc from "fast-check";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { algorithmOf } from "../../src/algorithms/index.ts";
import {
  BUCKET_ALGORITHMS,
  happen,
  happenings,
  largePolicy,
  smallPolicy,
  START,
  WINDOW_ALGORITHMS,
} from "../support/arbitraries.ts";
import { policyOf, stateOf } from "../support/state.ts";

const KINDS = ["consume", "consume", "charge"] as const;

for (const algorithm of ALGORITHMS) {
  describe(`algorithm ${algorithm}`, () => {
    const policies = fc.oneof(
      { weight: 4, arbitrary: smallPolicy(algorithm) },
      { weight: 1, arbitrary: largePolicy(algorithm) },
    );
    const situations = policies.chain((policy) =>
      fc.record({
        policy: fc.constant(policy),
        each: happenings(policy, KINDS),
        cost: fc.integer({ min: 1, max: 25 }),
        later: fc.nat({ max: 3 * policy.span }),
      }),
    );

    test("property: as many single units are admitted as one cost of them all, and leave the same", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, cost, later }) => {
          const [once, singly] = [stateOf(policy), stateOf(policy)];
          const now = happen(once, each);
          happen(singly, each);
          const { remaining } = once.look(now);
          const admitted = Array.from({ length: cost }, () => singly.consume(now, 1)).filter(
            (receipt) => receipt !== undefined,
          );
          expect(admitted).toHaveLength(Math.min(cost, remaining));
          expect(once.consume(now, cost) === undefined).toBe(remaining < cost);
          if (remaining >= cost) expect(singly.look(now + later)).toEqual(once.look(now + later));
        }),
        { numRuns: 300 },
      );
    });

    test("property: requests that were denied might as well not have been made", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, later }) => {
          const [all, admittedOnly] = [stateOf(policy), stateOf(policy)];
          let now = START;
          for (const { wait, cost } of each) {
            now += wait;
            if (all.consume(now, cost) !== undefined) expect(admittedOnly.consume(now, cost)).toBeDefined();
          }
          expect(admittedOnly.cells()).toEqual(all.cells());
          expect(admittedOnly.look(now + later)).toEqual(all.look(now + later));
        }),
        { numRuns: 200 },
      );
    });

    test("property: a charge that is given back at once leaves what was there", () => {
      fc.assert(
        fc.property(situations, ({ policy, each, cost, later }) => {
          const [state, untouched] = [stateOf(policy), stateOf(policy)];
          const now = happen(state, each);
          happen(untouched, each);
          const receipt = state.consume(now, cost);
          if (receipt !== undefined) state.refund(now, receipt, cost);
          expect(state.look(now + later)).toEqual(untouched.look(now + later));
        }),
        { numRuns: 300 },
      );
    });
  });
}

for (const algorithm of WINDOW_ALGORITHMS) {
  test(`property: ${algorithm}: a charge that is given back later leaves no more quota than one never made`, () => {
    const situations = smallPolicy(algorithm).chain((policy) =>
      fc.record({
        policy: fc.constant(policy),
        before: happenings(policy, ["consume"]),
        between: happenings(policy, ["consume"], 5),
        cost: fc.integer({ min: 1, max: 10 }),
      }),
    );
    fc.assert(
      fc.property(situations, ({ policy, before, between, cost }) => {
        const [state, twin] = [stateOf(policy), stateOf(policy)];
        let now = happen(state, before);
        happen(twin, before);
        const receipt = state.consume(now, cost);
        for (const each of between) {
          now += each.wait;
          if (state.consume(now, each.cost) !== undefined) expect(twin.consume(now, each.cost)).toBeDefined();
        }
        if (receipt !== undefined) state.refund(now, receipt, cost);
        expect(state.look(now).remaining).toBe(twin.look(now).remaining);
      }),
      { numRuns: 500 },
    );
  });
}

describe("the buckets", () => {
  const numbers = fc.record({
    limit: fc.integer({ min: 1, max: 4_000 }),
    window: fc.integer({ min: 1, max: 100_000 }),
    burst: fc.integer({ min: 1, max: 1_000 }),
  });
  const situations = numbers.chain((each) =>
    fc.record({
      numbers: fc.constant(each),
      each: happenings(policyOf("token-bucket", each), ["consume", "consume", "charge", "refund"], 60),
    }),
  );

  test("property: gcra and leaky bucket decide as the token bucket does, number for number", () => {
    fc.assert(
      fc.property(situations, ({ numbers, each }) => {
        const [token, ...others] = BUCKET_ALGORITHMS.map((name) => {
          const state = stateOf(policyOf(name, numbers));
          const looks: unknown[] = [];
          happen(state, each, (now) =>
            looks.push(state.look(now), state.look(now, numbers.burst), state.look(now + 1, 2)),
          );
          return looks;
        });
        for (const other of others) expect(other).toEqual(token);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["the largest rate that is accepted, in September 2039", 2 ** 41, { limit: 4_095, window: 4, burst: 4_095 }],
    ["the largest odd rate, in September 2039", 2 ** 41, { limit: 4_093, window: 1_000, burst: 4_093 }],
    ["a limit of 1,000, in 2255", Date.UTC(2255, 5), { limit: 1_000, window: 59_999, burst: 1_000 }],
  ])("gcra is still exact with %s", (_, end, numbers) => {
    const [gcra, token] = [stateOf(policyOf("gcra", numbers)), stateOf(policyOf("token-bucket", numbers))];
    for (let now = end - 3_000; now < end; now++) {
      expect(gcra.consume(now, now % 7) === undefined).toBe(token.consume(now, now % 7) === undefined);
      expect([gcra.look(now), gcra.look(now, 13)]).toEqual([token.look(now), token.look(now, 13)]);
    }
    expect(Number.isSafeInteger(gcra.cells()[0])).toBe(true);
  });

  test("property: what the leaky bucket admits goes on at its even rate, and waits no longer than it must", () => {
    fc.assert(
      fc.property(
        numbers,
        fc.nat({ max: 20 }),
        fc.array(fc.nat({ max: 300 }), { maxLength: 60, size: "max" }),
        (each, delayAfter, waits) => {
          const policy = policyOf("leaky-bucket", { ...each, delayAfter });
          const leaky = algorithmOf("leaky-bucket");
          const state = stateOf(policy);
          const releases: number[] = [];
          let now = START;
          for (const wait of waits) {
            now += wait;
            const delayMs = leaky.delayMs(policy, state.read(now), 1);
            if (state.consume(now, 1) === undefined) continue;
            releases.push(now + delayMs);
            const ahead = (ms: number): number => state.read(now + ms).used - policy.window;
            // At its release no more than delayAfter units stand ahead of it; one ms earlier more did.
            expect(state.read(now).used - delayMs * policy.limit - policy.window).toBeLessThanOrEqual(
              delayAfter * policy.window,
            );
            if (delayMs > 0) expect(ahead(delayMs - 1)).toBeGreaterThan(delayAfter * policy.window);
          }
          for (let from = 0; from < releases.length; from++) {
            for (let to = from; to < releases.length; to++) {
              const ms = (releases[to] as number) - (releases[from] as number) + 1;
              expect(to - from + 1).toBeLessThanOrEqual(delayAfter + 1 + (ms * policy.limit) / policy.window);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
