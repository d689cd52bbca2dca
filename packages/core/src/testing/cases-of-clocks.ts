import assert from "node:assert/strict";
import { ALGORITHMS, type AlgorithmName } from "../domain/algorithm-name.ts";
import { consumeAt } from "./cases-of-arithmetic.ts";
import type { Promises } from "./promises.ts";

/** How long it takes until a whole capacity is there again, in windows. */
const WINDOWS_UNTIL_FULL: Record<AlgorithmName, number> = {
  "fixed-window": 1,
  "sliding-window-log": 1,
  "sliding-window-counter": 2,
  "token-bucket": 0.5,
  gcra: 0.5,
  "leaky-bucket": 0.5,
};

/** The cases about a clock that steps back. */
export function casesOfClocks(promises: Promises): void {
  promises("A17 a clock that steps back drains no bucket", async (scenario) => {
    const five = scenario.policy({ algorithm: "token-bucket", limit: 5, window: 5_000 });
    const decisions = await consumeAt(scenario, five, [100, 100, 100, 40, 40, 45, 45, 45, 45, 45]);
    assert.deepEqual(
      decisions.map(({ allowed, remaining }) => [allowed, remaining]),
      [4, 3, 2, 4, 3, 4, 3, 2, 1, 0].map((remaining) => [true, remaining]),
    );
  });

  for (const algorithm of ALGORITHMS) {
    promises(`A17 ${algorithm}: a clock that steps back by a minute takes nothing away`, async (scenario) => {
      const five = scenario.policy({ algorithm, limit: 5, window: 10_000 });
      const full = 40 + 10 * WINDOWS_UNTIL_FULL[algorithm];
      const decisions = await consumeAt(scenario, five, [100, 100, 100, 40, 40, full, full, full, full, full]);
      assert.deepEqual(
        decisions.map(({ allowed, remaining }) => [allowed, remaining]),
        [4, 3, 2, 4, 3, 4, 3, 2, 1, 0].map((remaining) => [true, remaining]),
      );
    });

    promises(`A17 ${algorithm}: no step of the clock locks a caller out for long`, async (scenario) => {
      const ten = scenario.policy({ algorithm, limit: 10, window: 10_000 });
      for (let back = 0; back <= 60; back += 0.5) {
        scenario.at(1_005);
        await scenario.consume(ten, 10, `${back}`);
        scenario.at(1_005 - back);
        const { allowed, retryAfterMs, resetMs } = await scenario.consume(ten, 1, `${back}`);
        assert.ok(retryAfterMs <= longestWait(algorithm) && resetMs >= retryAfterMs, `${back} s back`);
        if (allowed) continue;
        // The wait that was told is that of real time.
        assert.ok(retryAfterMs > 0);
        scenario.wait(retryAfterMs - 1);
        assert.equal((await scenario.consume(ten, 1, `${back}`)).allowed, false);
        scenario.wait(1);
        assert.equal((await scenario.consume(ten, 1, `${back}`)).allowed, true);
      }
    });

    // gcra has no mark at which time could stand still: it forgets a step of a minute, and waits for one of seconds.
    if (algorithm === "gcra") continue;
    promises(`A17 ${algorithm}: remaining never decreases because of time`, async (scenario) => {
      const ten = scenario.policy({ algorithm, limit: 10, window: 10_000 });
      for (let back = 0; back <= 60; back += 0.5) {
        scenario.at(1_005);
        const { remaining } = await scenario.consume(ten, 4, `${back}`);
        scenario.at(1_005 - back);
        assert.ok((await scenario.peek(ten, `${back}`)).remaining >= remaining, `${back} s back`);
      }
    });
  }
}

/** Of a caller that used up 10 units of 10 in 10 s, after a step of any size. */
function longestWait(algorithm: AlgorithmName): number {
  // The window before weighs on the current one for one more.
  if (algorithm === "sliding-window-counter") return 30_000;
  // A state of three times the capacity is believed, and all but one unit of a capacity may stand.
  if (algorithm === "gcra") return 30_000 - 9_000;
  return 20_000;
}
