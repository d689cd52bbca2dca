import assert from "node:assert/strict";
import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { Check } from "../domain/store.ts";
import { pick } from "./decisions.ts";
import { KEY, chargeOf, refundsOf, type Capabilities } from "./scenario.ts";
import type { Promises } from "./promises.ts";

/** What `raise`, `refund`, `charge` and `reset` do. */
export function corrections(promises: Promises, { atomicAcrossKeys = true }: Capabilities): void {
  for (const algorithm of ALGORITHMS) {
    promises(`${algorithm}: a refund gives back what was charged`, async ({ policy, consume, refund, peek, wait }) => {
      const ten = policy({ algorithm });
      const five = await consume(ten, 5);
      await consume(ten, 2);
      wait(1);
      const { resetMs } = await peek(ten);
      await refund(ten, five, 3);
      const partly = await peek(ten);
      assert.equal(partly.remaining, 6);
      assert.ok(partly.resetMs <= resetMs);
      await refund(ten, five, 2);
      assert.equal((await peek(ten)).remaining, 8);
    });

    promises(`${algorithm}: a refund creates neither a state nor quota`, async (scenario) => {
      const { store, policy, consume, refund, peek } = scenario;
      const ten = policy({ algorithm });
      const decision = await consume(ten, 5);
      await store.reset([{ policy: ten, stateKey: KEY, cost: 0 }]);
      await refund(ten, decision);
      assert.deepEqual(await store.inspect([{ policy: ten, stateKey: KEY, cost: 0 }]), [undefined]);
      assert.equal((await peek(ten)).remaining, 10);
      // What it applies to is the state that is there now.
      await consume(ten, 3);
      await refund(ten, decision);
      assert.deepEqual(pick(await peek(ten)), { allowed: true, remaining: 10, retryAfterMs: 0 });
      assert.equal((await consume(ten, 11)).allowed, false);
    });

    promises(
      `${algorithm}: a refund of what no longer counts is void`,
      async ({ policy, consume, refund, peek, wait }) => {
        const ten = policy({ algorithm, limit: 10, window: 1_000 });
        const old = await consume(ten, 10);
        wait(2_000);
        await consume(ten, 4);
        const before = await peek(ten);
        await refund(ten, old);
        assert.deepEqual(await peek(ten), before);
      },
    );

    promises(`${algorithm}: a raise replaces the earlier charge`, async ({ policy, consume, raise, refund, peek }) => {
      const ten = policy({ algorithm });
      const one = await consume(ten, 1);
      const six = await raise(ten, one, 6);
      assert.deepEqual(pick(six), { allowed: true, remaining: 4, retryAfterMs: 0 });
      assert.equal(six.cost, 6);
      await refund(ten, six);
      assert.equal((await peek(ten)).remaining, 10);
    });

    promises(
      `${algorithm}: a denied raise leaves the earlier charge given back`,
      async ({ policy, consume, raise, peek }) => {
        const ten = policy({ algorithm });
        const four = await consume(ten, 4);
        await consume(ten, 5);
        const denied = await raise(ten, four, 7);
        assert.equal(denied.allowed, false);
        assert.equal(denied.receipt, undefined);
        assert.equal((await peek(ten)).remaining, 5);
      },
    );

    promises(
      `${algorithm}: a charge is taken whatever the limit, and is no decision`,
      async ({ policy, charge, consume }) => {
        const ten = policy({ algorithm, limit: 10, window: 1_000 });
        const partly = await charge(ten, 4);
        assert.deepEqual(pick(partly), { allowed: true, remaining: 6, retryAfterMs: 0 });
        assert.equal(partly.receipt, undefined);
        assert.equal((await charge(ten, 13)).remaining, 0);
        assert.equal((await consume(ten, 1)).allowed, false);
      },
    );

    promises(`${algorithm}: a charge of the dearest cost ends`, async ({ policy, charge, consume, wait }) => {
      const ten = policy({ algorithm, limit: 10, window: 1_000 });
      const owing = await charge(ten, 2 ** 31);
      assert.ok(owing.resetMs <= 2_000);
      wait(owing.resetMs - 1);
      assert.equal((await consume(ten, 10)).allowed, false);
      wait(1);
      assert.equal((await consume(ten, 10)).allowed, true);
    });

    promises(`${algorithm}: a reset forgets`, async ({ store, policy, charge, consume }) => {
      const ten = policy({ algorithm });
      await charge(ten, 25);
      await store.reset([{ policy: ten, stateKey: KEY, cost: 0 }]);
      assert.deepEqual(await store.inspect([{ policy: ten, stateKey: KEY, cost: 0 }]), [undefined]);
      assert.equal((await consume(ten, 10)).allowed, true);
    });
  }

  for (const algorithm of ["token-bucket", "gcra", "leaky-bucket"] as const) {
    promises(
      `${algorithm}: debt is repaid before anything is admitted, up to one capacity`,
      async ({ policy, charge, consume }) => {
        const ten = policy({ algorithm, limit: 10, window: 1_000 });
        await charge(ten, 15);
        assert.deepEqual(pick(await consume(ten, 1)), { allowed: false, remaining: 0, retryAfterMs: 600 });
        await charge(ten, 1_000);
        assert.deepEqual(pick(await consume(ten, 1)), { allowed: false, remaining: 0, retryAfterMs: 1_100 });
      },
    );
  }

  promises("only what was charged has a receipt", async ({ policy, consume, peek }) => {
    const ten = policy();
    assert.notEqual((await consume(ten, 1)).receipt, undefined);
    assert.equal((await consume(ten, 0)).receipt, undefined);
    assert.equal((await consume(ten, 10)).receipt, undefined);
    assert.equal((await peek(ten)).receipt, undefined);
  });

  const keys = atomicAcrossKeys ? ["one", "two"] : [KEY, KEY];
  promises(
    "a raise over several policies is all or nothing, and joins policies that were not charged",
    async ({ store, policy }) => {
      const policies = [policy(), policy({ algorithm: "gcra", limit: 3 })];
      const checks = (...costs: number[]) =>
        policies.map((each, i): Check => ({ policy: each, stateKey: keys[i] as string, cost: costs[i] as number }));
      const remaining = async () => (await store.peek(checks(0, 0))).policies.map((each) => each.remaining);
      const earlier = (of: Awaited<ReturnType<typeof store.consume>>, ...costs: number[]) =>
        checks(...costs).map((check, i) => ({ ...check, earlier: chargeOf(of.policies[i]!) }));

      const first = await store.consume(checks(2, 0));
      assert.deepEqual(await remaining(), [8, 3]);
      const raised = await store.raise(earlier(first, 5, 3));
      assert.equal(raised.allowed, true);
      assert.deepEqual(await remaining(), [5, 0]);
      const denied = await store.raise(earlier(raised, 6, 4));
      assert.deepEqual(
        denied.policies.map(({ allowed }) => allowed),
        [true, false],
      );
      assert.deepEqual(await remaining(), [10, 3]);
    },
  );

  promises("several refunds travel together", async ({ store, policy }) => {
    const checks = [policy(), policy({ algorithm: "sliding-window-log" })].map((each): Check => ({
      policy: each,
      stateKey: KEY,
      cost: 4,
    }));
    const reply = await store.consume(checks);
    await store.refund(refundsOf(checks, reply.policies));
    assert.deepEqual(
      (await store.peek(checks)).policies.map(({ remaining }) => remaining),
      [10, 10],
    );
  });
}
