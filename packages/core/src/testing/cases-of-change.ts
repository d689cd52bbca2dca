import assert from "node:assert/strict";
import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { consumeAt } from "./cases-of-arithmetic.ts";
import type { Promises } from "./promises.ts";

/** The cases about what changes under a state: refunds, costs, limits, and the time that passes. */
export function casesOfChange(promises: Promises): void {
  for (const algorithm of ALGORITHMS) {
    promises(`A44 ${algorithm}: a refund cannot lift the quota above the limit`, async (scenario) => {
      const { policy, consume, refund, charge, peek } = scenario;
      const two = policy({ algorithm, limit: 2 });
      const charged = await consume(two, 1, "another");
      await refund(two, charged);
      await refund(two, charged);
      const decisions = await consumeAt(scenario, two, [0, 0, 0]);
      assert.deepEqual(
        decisions.map(({ allowed }) => allowed),
        [true, true, false],
      );

      const five = await consume(policy({ name: "five", algorithm, limit: 5 }), 5);
      const ten = policy({ name: "five", algorithm, limit: 5 });
      await refund(ten, five);
      await refund(ten, five);
      assert.equal((await peek(ten)).remaining, 5);
      assert.equal((await charge(ten, 1)).remaining, 4);
    });

    promises(`A52 ${algorithm}: a cost above the capacity is never admitted and consumes nothing`, async (scenario) => {
      const ten = scenario.policy({ algorithm });
      const denied = await scenario.consume(ten, 11);
      assert.equal(denied.allowed, false);
      assert.equal(denied.retryAfterMs, Infinity);
      assert.equal((await scenario.consume(ten, 2 ** 31)).retryAfterMs, Infinity);
      assert.equal((await scenario.consume(ten, 1)).remaining, 9);
    });

    promises(`A53 ${algorithm}: a cost of 0 is a look`, async (scenario) => {
      const { policy, consume, store } = scenario;
      const three = policy({ algorithm, limit: 3 });
      const decisions = [];
      for (const cost of [0, 0, 3, 0]) decisions.push(await consume(three, cost));
      assert.deepEqual(
        decisions.map(({ remaining }) => remaining),
        [3, 3, 0, 0],
      );
      assert.ok(decisions.every(({ allowed }) => allowed));
      await consume(three, 0, "fresh");
      assert.deepEqual(await store.inspect([{ policy: three, stateKey: "fresh", cost: 0 }]), [undefined]);
    });
  }

  promises("A19 traffic does not push the end of a fixed window on", async (scenario) => {
    const three = scenario.policy({ algorithm: "fixed-window", limit: 3, window: 10_000 });
    const decisions = await consumeAt(scenario, three, [0, 4, 8, 12]);
    assert.deepEqual(
      decisions.map(({ remaining }) => remaining),
      [2, 1, 0, 2],
    );
  });

  promises("A49 windows may be longer than a timer can count", async (scenario) => {
    const year = scenario.policy({ algorithm: "sliding-window-log", limit: 5, window: "365 days" });
    const day = 86_400;
    const decisions = await consumeAt(scenario, year, [0, 0, 0, 0, 0, 0, 30 * day, 365 * day]);
    assert.deepEqual(
      decisions.map(({ allowed }) => allowed),
      [true, true, true, true, true, false, false, true],
    );
    assert.equal(decisions[6]?.retryAfterMs, 28_944_000_000);
  });

  for (const algorithm of ["fixed-window", "sliding-window-log", "sliding-window-counter"] as const) {
    promises(`A51 ${algorithm}: a raised limit is felt at once`, async ({ policy, consume, peek, at }) => {
      const [before, after] = [10_000, 15_000].map((limit) =>
        policy({ name: "plan", algorithm, limit, window: "1 hour" }),
      );
      at(900);
      await consume(before as ResolvedPolicy, 10_000);
      const { resetMs } = await peek(before as ResolvedPolicy);
      const decision = await consume(after as ResolvedPolicy);
      assert.equal(decision.allowed, true);
      assert.equal(decision.limit, 15_000);
      assert.equal(decision.remaining, 4_999);
      if (algorithm !== "sliding-window-counter") assert.equal(decision.resetMs, resetMs);
    });
  }

  for (const algorithm of ["token-bucket", "leaky-bucket"] as const) {
    promises(
      `A51 ${algorithm}: a raised capacity is felt at once, and used stays used`,
      async ({ policy, consume, peek, at }) => {
        const [before, after] = [10, 15].map((limit) => policy({ name: "plan", algorithm, limit, window: 15_000 })) as [
          ResolvedPolicy,
          ResolvedPolicy,
        ];
        await consume(before, 10);
        assert.equal((await peek(after)).remaining, 5);
        assert.equal((await consume(after, 5)).allowed, true);
        at(7);
        assert.equal((await peek(after)).remaining, 7);
      },
    );
  }

  promises("A67 the announced wait is right for each caller by itself", async (scenario) => {
    for (const algorithm of ALGORITHMS) {
      const one = scenario.policy({ algorithm, limit: 1, window: 10_000 });
      scenario.at(0);
      await scenario.consume(one, 1, "first");
      scenario.at(7);
      await scenario.consume(one, 1, "second");
      scenario.at(7.5);
      const { allowed, retryAfterMs } = await scenario.consume(one, 1, "second");
      assert.equal(allowed, false);
      scenario.wait(retryAfterMs - 1_000);
      assert.equal((await scenario.consume(one, 1, "second")).allowed, false);
      scenario.wait(1_000);
      assert.equal((await scenario.consume(one, 1, "second")).allowed, true);
    }
  });
}
