import assert from "node:assert/strict";
import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { Check } from "../domain/store.ts";
import type { Capabilities } from "./scenario.ts";
import { KEY } from "./scenario.ts";
import type { Promises } from "./promises.ts";

/** What `consume` and `peek` answer. */
export function decisions(promises: Promises, { atomicAcrossKeys = true }: Capabilities): void {
  promises("a reply names the store's time, and each policy's own numbers in order", async ({ store, policy, at }) => {
    at(12.345);
    const checks: Check[] = [
      { policy: policy({ name: "a", limit: 3 }), stateKey: KEY, cost: 2 },
      { policy: policy({ name: "b", algorithm: "token-bucket", burst: 20 }), stateKey: KEY, cost: 1 },
    ];
    const reply = await store.consume(checks);
    assert.equal(reply.at, 1_699_920_012_345);
    assert.equal(reply.allowed, true);
    assert.equal(reply.source, "store");
    const own = reply.policies.map(({ name, algorithm, limit, window, capacity, cost, shadow }) => {
      return { name, algorithm, limit, window, capacity, cost, shadow };
    });
    assert.deepEqual(own, [
      { name: "a", algorithm: "sliding-window-counter", limit: 3, window: 60_000, capacity: 3, cost: 2, shadow: false },
      { name: "b", algorithm: "token-bucket", limit: 10, window: 60_000, capacity: 20, cost: 1, shadow: false },
    ]);
  });

  for (const algorithm of ALGORITHMS) {
    promises(`${algorithm}: a key never seen has its whole quota, and no more`, async ({ policy, peek, consume }) => {
      const three = policy({ algorithm, limit: 3 });
      assert.deepEqual(pick(await peek(three)), { allowed: true, remaining: 3, retryAfterMs: 0 });
      for (const remaining of [2, 1, 0]) {
        assert.deepEqual(pick(await consume(three)), { allowed: true, remaining, retryAfterMs: 0 });
      }
      const denied = await consume(three);
      assert.equal(denied.allowed, false);
      assert.equal(denied.remaining, 0);
      assert.ok(denied.retryAfterMs > 0 && denied.retryAfterMs <= 60_000 * 2);
    });

    promises(`${algorithm}: denials, looks and costs of 0 change nothing`, async (scenario) => {
      const { store, policy, peek, consume, wait } = scenario;
      const three = policy({ algorithm, limit: 3, window: 10_000 });
      await consume(three, 2);
      const before = await peek(three);
      const inspected = await store.inspect([{ policy: three, stateKey: KEY, cost: 0 }]);
      wait(1);
      const first = await consume(three, 2);
      assert.equal(first.allowed, false);
      assert.equal((await consume(three, 0)).allowed, true);
      assert.deepEqual(await consume(three, 2), first);
      wait(-1);
      assert.deepEqual(await peek(three), before);
      assert.deepEqual(await store.inspect([{ policy: three, stateKey: KEY, cost: 0 }]), inspected);
    });

    promises(`${algorithm}: a cost of 0 leaves no trace of a key`, async ({ store, policy, consume, peek }) => {
      const three = policy({ algorithm, limit: 3 });
      await consume(three, 0);
      await peek(three);
      assert.deepEqual(await store.inspect([{ policy: three, stateKey: KEY, cost: 0 }]), [undefined]);
    });

    promises(`${algorithm}: the announced wait is exact`, async ({ policy, consume, wait }) => {
      const seven = policy({ algorithm, limit: 7, window: 1_001 });
      wait(500);
      await consume(seven, 4);
      wait(100);
      await consume(seven, 3);
      const { allowed, retryAfterMs } = await consume(seven, 2);
      assert.equal(allowed, false);
      wait(retryAfterMs - 1);
      assert.equal((await consume(seven, 2)).retryAfterMs, 1);
      wait(1);
      assert.equal((await consume(seven, 2)).allowed, true);
    });

    promises(`A09 ${algorithm}: a limit of 0 admits nothing, ever`, async ({ policy, consume, peek }) => {
      const none = policy({ algorithm, limit: 0 });
      const denied = await consume(none, 1);
      assert.deepEqual(pick(denied), { allowed: false, remaining: 0, retryAfterMs: Infinity });
      assert.equal(denied.resetMs, 0);
      assert.deepEqual(pick(await peek(none)), { allowed: true, remaining: 0, retryAfterMs: 0 });
    });
  }

  const keys = atomicAcrossKeys ? ["one", "two", "three"] : [KEY, KEY, KEY];
  promises("all enforced policies of a request are charged, or none is", async ({ store, policy, consume }) => {
    const policies = [
      policy({ limit: 5 }),
      policy({ algorithm: "gcra", limit: 2 }),
      policy({ algorithm: "sliding-window-log" }),
    ];
    const checks = policies.map((each, i): Check => ({ policy: each, stateKey: keys[i] as string, cost: 1 }));
    await consume(checks[1]!.policy, 2, keys[1]);
    const denied = await store.consume(checks);
    assert.equal(denied.allowed, false);
    assert.deepEqual(denied.policies.map(pick), [
      { allowed: true, remaining: 5, retryAfterMs: 0 },
      { allowed: false, remaining: 0, retryAfterMs: 30_000 },
      { allowed: true, remaining: 10, retryAfterMs: 0 },
    ]);
    assert.deepEqual(
      denied.policies.map(({ receipt }) => receipt),
      [undefined, undefined, undefined],
    );
    const after = await store.peek(checks);
    assert.deepEqual(
      after.policies.map(({ remaining }) => remaining),
      [5, 0, 10],
    );
  });

  promises(
    "a shadow policy is charged exactly when it alone admits, and is no part of the answer",
    async (scenario) => {
      const { store, policy } = scenario;
      const checks = [policy({ limit: 2 }), policy({ limit: 1, mode: "shadow" })].map((each): Check => ({
        policy: each,
        stateKey: KEY,
        cost: 1,
      }));
      const remaining = async () => (await store.peek(checks)).policies.map((each) => each.remaining);

      assert.equal((await store.consume(checks)).allowed, true);
      assert.deepEqual(await remaining(), [1, 0]);
      const second = await store.consume(checks);
      assert.equal(second.allowed, true);
      assert.deepEqual(
        second.policies.map(({ allowed }) => allowed),
        [true, false],
      );
      assert.deepEqual(await remaining(), [0, 0]);
      await store.reset([checks[1]!]);
      const third = await store.consume(checks);
      assert.equal(third.allowed, false);
      assert.deepEqual(
        third.policies.map(({ allowed }) => allowed),
        [false, true],
      );
      assert.deepEqual(await remaining(), [0, 0]);
    },
  );

  promises(
    "a shadow policy and an enforced one of the same name keep states of their own",
    async ({ policy, consume, peek }) => {
      const enforced = policy({ name: "same", limit: 3 });
      const shadow = policy({ name: "same", limit: 3, mode: "shadow" });
      await consume(enforced, 3);
      assert.equal((await peek(shadow)).remaining, 3);
    },
  );

  promises("a changed limit is felt at once, and what is used stays used", async ({ policy, consume, peek }) => {
    for (const algorithm of ALGORITHMS) {
      if (algorithm === "gcra") continue;
      const [five, eight] = [
        policy({ name: algorithm, algorithm, limit: 5 }),
        policy({ name: algorithm, algorithm, limit: 8 }),
      ];
      await consume(five, 5);
      assert.equal((await peek(eight)).remaining, 3, algorithm);
      assert.equal((await consume(eight, 3)).allowed, true, algorithm);
      assert.equal((await peek(five)).remaining, 0, algorithm);
    }
  });

  promises(
    "another window or algorithm is another state, and the first keeps its own",
    async ({ policy, consume, peek }) => {
      const variants = [...ALGORITHMS.map((algorithm) => ({ algorithm, window: 60_000 })), { window: 30_000 }];
      const policies = variants.map((options) => policy({ name: "same", limit: 10, ...options }));
      for (const [i, each] of policies.entries()) await consume(each, i);
      for (const [i, each] of policies.entries()) assert.equal((await peek(each)).remaining, 10 - i);
    },
  );

  promises(
    "the leaky bucket tells what it admits to wait, and nothing else",
    async ({ policy, store, consume, peek }) => {
      const leaky = policy({ algorithm: "leaky-bucket", limit: 10, window: 1_000, burst: 4, delayAfter: 1 });
      const delays = [];
      for (let i = 0; i < 5; i++) delays.push((await consume(leaky)).delayMs);
      assert.deepEqual(delays, [0, 0, 100, 200, 0]);
      assert.equal((await peek(leaky)).delayMs, 0);
      await store.reset([{ policy: leaky, stateKey: KEY, cost: 0 }]);
      await consume(leaky, 3);
      const none = policy({ limit: 0 });
      const denied = await store.consume([leaky, none].map((each) => ({ policy: each, stateKey: KEY, cost: 1 })));
      assert.deepEqual(
        denied.policies.map(({ delayMs }) => delayMs),
        [0, 0],
      );
    },
  );
}

/** The numbers that most promises are about. */
export function pick({
  allowed,
  remaining,
  retryAfterMs,
}: {
  allowed: boolean;
  remaining: number;
  retryAfterMs: number;
}): object {
  return { allowed, remaining, retryAfterMs };
}
