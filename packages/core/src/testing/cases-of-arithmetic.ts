import assert from "node:assert/strict";
import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { PolicyDecision } from "../domain/decision.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { CASE_EPOCH } from "./manual-clock.ts";
import { KEY, type Scenario } from "./scenario.ts";
import type { Promises } from "./promises.ts";

/** The cases about what the algorithms count, told in seconds after the epoch that they are counted from. */
export function casesOfArithmetic(promises: Promises): void {
  const edges = { "fixed-window": 60, "sliding-window-log": 1, "sliding-window-counter": 1 } as const;
  for (const [algorithm, admitted] of Object.entries(edges)) {
    promises(`A01 ${algorithm} admits ${admitted} of 60 just after a window's edge`, async (scenario) => {
      const sixty = scenario.policy({ algorithm: algorithm as keyof typeof edges, limit: 60 });
      assert.equal(await admittedAt(scenario, sixty, 0, 1), 1);
      assert.equal(await admittedAt(scenario, sixty, 59.9, 59), 59);
      assert.equal(await admittedAt(scenario, sixty, 60.1, 60), admitted);
    });
  }

  promises("A02 the sliding counter weighs the window before, and remaining says so", async (scenario) => {
    const hundred = scenario.policy({ limit: 100 });
    assert.equal(await admittedAt(scenario, hundred, 0, 50), 50);
    assert.equal(await admittedAt(scenario, hundred, 66, 9), 9);
    assert.equal((await scenario.consume(hundred)).remaining, 45);
    assert.equal(await admittedAt(scenario, hundred, 66, 46), 45);
    assert.equal((await scenario.consume(hundred)).retryAfterMs, 1);
  });

  promises("the sliding counter weighs exactly where products pass 2^53", async (scenario) => {
    const [limit, used, window] = [2_000_000_000, 1_999_999_999, 2_592_000_000];
    const huge = scenario.policy({ algorithm: "sliding-window-counter", limit, window });
    const edge = Math.ceil(CASE_EPOCH / window) * window;
    const at = (ms: number): void => scenario.at((ms - CASE_EPOCH) / 1_000);
    // Moments at which used * left is next to a multiple of the window, where a rounded product would be off by one.
    const inverse = inverseOf(BigInt(used), BigInt(window));
    const whole = BigInt(window);
    const lefts = [-3n, -2n, -1n, 1n, 2n, 3n].map((off) => (((off * inverse) % whole) + whole) % whole);
    at(edge - 1);
    for (const left of lefts) assert.equal((await scenario.consume(huge, used, `${left}`)).allowed, true);
    for (const left of lefts.sort((a, b) => Number(b - a))) {
      at(edge + window - Number(left));
      const remaining = limit - Number((BigInt(used) * left) / whole);
      assert.equal((await scenario.peek(huge, `${left}`)).remaining, remaining);
      assert.equal((await scenario.consume(huge, remaining + 1, `${left}`)).allowed, false);
      assert.equal((await scenario.consume(huge, remaining, `${left}`)).allowed, true);
      assert.equal((await scenario.peek(huge, `${left}`)).remaining, 0);
    }
  });

  promises("A03 an entry of the log expires before counting, once its age is the window", async (scenario) => {
    const three = scenario.policy({ algorithm: "sliding-window-log", limit: 3, window: 10_000 });
    const decisions = await consumeAt(scenario, three, [0, 1, 2, 10, 10.5]);
    assert.deepEqual(
      decisions.map(({ remaining }) => remaining),
      [2, 1, 0, 0, 0],
    );
    assert.deepEqual(
      decisions.map(({ allowed }) => allowed),
      [true, true, true, true, false],
    );
    assert.equal(decisions[4]?.retryAfterMs, 500);
  });

  promises("A04 time spent full is not credited twice", async (scenario) => {
    const ten = scenario.policy({ algorithm: "token-bucket", limit: 10, window: 10_000 });
    await scenario.consume(ten);
    scenario.at(600);
    assert.equal((await scenario.consume(ten, 10)).allowed, true);
    assert.equal((await scenario.consume(ten)).retryAfterMs, 1_000);
    const decisions = await consumeAt(scenario, ten, [601, 601]);
    assert.deepEqual(
      decisions.map(({ allowed }) => allowed),
      [true, false],
    );
  });

  promises("A05 gcra admits at the announced moment and not before", async (scenario) => {
    const six = scenario.policy({ algorithm: "gcra", limit: 6 });
    const decisions = await consumeAt(scenario, six, [0, 0, 0, 0, 0, 0, 0, 9.9, 10]);
    assert.deepEqual(
      decisions.slice(0, 6).map(({ remaining }) => remaining),
      [5, 4, 3, 2, 1, 0],
    );
    assert.deepEqual(
      decisions.slice(6).map(({ allowed }) => allowed),
      [false, false, true],
    );
    assert.deepEqual(
      decisions.slice(6).map(({ retryAfterMs }) => retryAfterMs),
      [10_000, 100, 0],
    );
  });

  promises("A06 requests that were denied do not prolong the wait", async (scenario) => {
    const three = scenario.policy({ algorithm: "sliding-window-log", limit: 3, window: 10_000 });
    const seconds = Array.from({ length: 41 }, (_, second) => second);
    const decisions = await consumeAt(scenario, three, seconds);
    assert.deepEqual(
      seconds.filter((second) => decisions[second]?.allowed),
      [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32, 40],
    );
    const [view] = await scenario.store.inspect([{ policy: three, stateKey: KEY, cost: 0 }]);
    assert.ok((view?.entries ?? 0) <= 3);
  });

  for (const algorithm of ALGORITHMS) {
    promises(`A07 ${algorithm}: a limit of 2 admits 2`, async (scenario) => {
      const decisions = await consumeAt(scenario, scenario.policy({ algorithm, limit: 2 }), [0, 0, 0, 0, 0]);
      assert.deepEqual(
        decisions.map(({ allowed }) => allowed),
        [true, true, false, false, false],
      );
      assert.deepEqual(
        decisions.map(({ remaining }) => remaining),
        [1, 0, 0, 0, 0],
      );
    });
  }

  for (const algorithm of ["token-bucket", "gcra", "leaky-bucket"] as const) {
    promises(`A08 ${algorithm}: a burst of 5 is 5 at once`, async (scenario) => {
      const five = scenario.policy({ algorithm, limit: 10, window: 1_000, burst: 5 });
      const decisions = await consumeAt(scenario, five, [0, 0, 0, 0, 0, 0]);
      assert.deepEqual(
        decisions.map(({ allowed }) => allowed),
        [true, true, true, true, true, false],
      );
      assert.equal(decisions[0]?.capacity, 5);
    });
  }

  promises("A10 slow rates are honoured exactly", async (scenario) => {
    const second = scenario.policy({ algorithm: "token-bucket", limit: 1, window: 1_000 });
    const decisions = await consumeAt(scenario, second, [0, 0.1, 0.5, 0.99, 1, 1.2, 2]);
    assert.deepEqual(
      decisions.map(({ allowed }) => allowed),
      [true, false, false, false, true, false, true],
    );
    const hour = scenario.policy({ algorithm: "token-bucket", limit: 1, window: 3_600_000 });
    const slow = await consumeAt(scenario, hour, [0, 3_599, 3_600]);
    assert.deepEqual(
      slow.map(({ allowed }) => allowed),
      [true, false, true],
    );
    assert.equal(slow[1]?.retryAfterMs, 1_000);
  });

  promises("A13 waits and resets scale with the window, and are none where nothing is denied", async (scenario) => {
    const two = scenario.policy({ algorithm: "gcra", limit: 2 });
    const decisions = await consumeAt(scenario, two, [0, 0, 0]);
    assert.deepEqual(
      decisions.map(({ resetMs }) => resetMs),
      [30_000, 60_000, 60_000],
    );
    assert.deepEqual(
      decisions.map(({ retryAfterMs }) => retryAfterMs),
      [0, 0, 30_000],
    );
  });
}

/** One unit at each of these seconds. */
export async function consumeAt(
  scenario: Scenario,
  policy: ResolvedPolicy,
  seconds: readonly number[],
): Promise<PolicyDecision[]> {
  const decisions = [];
  for (const second of seconds) {
    scenario.at(second);
    decisions.push(await scenario.consume(policy));
  }
  return decisions;
}

async function admittedAt(
  scenario: Scenario,
  policy: ResolvedPolicy,
  second: number,
  requests: number,
): Promise<number> {
  const decisions = await consumeAt(
    scenario,
    policy,
    Array.from({ length: requests }, () => second),
  );
  return decisions.filter(({ allowed }) => allowed).length;
}

/** The number that times `number` is 1 modulo `modulus`: by Euclid's extended algorithm. */
function inverseOf(number: bigint, modulus: bigint): bigint {
  let [previous, current, before, now] = [modulus, number % modulus, 0n, 1n];
  while (current !== 0n) {
    const quotient = previous / current;
    [previous, current] = [current, previous - quotient * current];
    [before, now] = [now, before - quotient * now];
  }
  assert.equal(previous, 1n);
  return before;
}
