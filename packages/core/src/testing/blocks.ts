import assert from "node:assert/strict";
import type { PolicyDecision } from "../domain/decision.ts";
import type { ResolvedPolicy } from "../domain/resolved-policy.ts";
import { KEY, type Scenario } from "./scenario.ts";
import type { Promises } from "./promises.ts";

/** What `block` does. */
export function blocks(promises: Promises): void {
  promises("a block denies until it ends, to the millisecond, and then the quota is as it was", async (scenario) => {
    const { policy, consume, wait } = scenario;
    const ten = policy({ algorithm: "token-bucket", limit: 10, window: 3_600_000 });
    await consume(ten, 4);
    await block(scenario, ten, 5_000);
    wait(1_000);
    assert.deepEqual(numbers(await consume(ten)), {
      allowed: false,
      remaining: 0,
      retryAfterMs: 4_000,
      blockedMs: 4_000,
    });
    wait(3_999);
    assert.deepEqual(numbers(await consume(ten)), { allowed: false, remaining: 0, retryAfterMs: 1, blockedMs: 1 });
    wait(1);
    assert.deepEqual(numbers(await consume(ten)), { allowed: true, remaining: 5, retryAfterMs: 0, blockedMs: 0 });
  });

  promises("a blocked key has its whole capacity back no sooner than the block ends", async (scenario) => {
    const { policy, consume, peek } = scenario;
    const ten = policy({ algorithm: "gcra", limit: 10, window: 1_000 });
    await consume(ten, 2);
    assert.equal((await peek(ten)).resetMs, 200);
    await block(scenario, ten, 5_000);
    assert.equal((await peek(ten)).resetMs, 5_000);
    await block(scenario, ten, 50);
    assert.equal((await peek(ten)).resetMs, 200);
  });

  promises("a blocked key waits for the block and for the quota, whichever is longer", async (scenario) => {
    const { policy, consume } = scenario;
    const ten = policy({ algorithm: "sliding-window-log", limit: 10, window: 10_000 });
    await consume(ten, 10);
    await block(scenario, ten, 4_000);
    assert.equal((await consume(ten)).retryAfterMs, 10_000);
    assert.equal((await consume(ten, 11)).retryAfterMs, Infinity);
    await block(scenario, ten, 14_000);
    assert.equal((await consume(ten)).retryAfterMs, 14_000);
  });

  promises("a block denies a key never seen, and a cost of 0", async (scenario) => {
    const { policy, consume, peek } = scenario;
    const ten = policy();
    await block(scenario, ten, 5_000);
    for (const answer of [await consume(ten, 0), await peek(ten)]) {
      assert.deepEqual(numbers(answer), { allowed: false, remaining: 0, retryAfterMs: 5_000, blockedMs: 5_000 });
    }
  });

  promises("a later block replaces an earlier one, and one of 0 ms lifts it", async (scenario) => {
    const { policy, consume } = scenario;
    const ten = policy();
    await block(scenario, ten, 5_000);
    await block(scenario, ten, 2_000);
    assert.equal((await consume(ten)).blockedMs, 2_000);
    await block(scenario, ten, 0);
    assert.equal((await consume(ten)).allowed, true);
    await block(scenario, ten, 0);
    assert.equal((await consume(ten)).allowed, true);
  });

  promises("a block outlives the window, and a reset forgets it", async (scenario) => {
    const { store, policy, consume, wait } = scenario;
    const ten = policy({ algorithm: "fixed-window", window: 1_000 });
    await consume(ten);
    await block(scenario, ten, 60_000);
    wait(30_000);
    assert.equal((await consume(ten)).blockedMs, 30_000);
    await store.reset([{ policy: ten, stateKey: KEY, cost: 0 }]);
    assert.equal((await consume(ten)).allowed, true);
  });

  promises("one blocked policy denies the whole request, and others are not charged", async (scenario) => {
    const { store, policy } = scenario;
    const [one, other] = [policy(), policy()];
    await block(scenario, one, 5_000);
    const checks = [one, other].map((each) => ({ policy: each, stateKey: KEY, cost: 1 }));
    const reply = await store.consume(checks);
    assert.equal(reply.allowed, false);
    assert.deepEqual(
      reply.policies.map(({ allowed }) => allowed),
      [false, true],
    );
    assert.deepEqual(
      (await store.peek(checks)).policies.map(({ remaining }) => remaining),
      [0, 10],
    );
  });

  promises("charges and refunds reach a blocked key", async (scenario) => {
    const { policy, consume, charge, refund, peek } = scenario;
    const ten = policy();
    const three = await consume(ten, 3);
    await block(scenario, ten, 5_000);
    await charge(ten, 4);
    await refund(ten, three);
    await block(scenario, ten, 0);
    assert.equal((await peek(ten)).remaining, 6);
  });

  promises("a block on one key leaves others alone", async (scenario) => {
    const { policy, consume } = scenario;
    const ten = policy();
    await block(scenario, ten, 5_000);
    assert.equal((await consume(ten, 1, "another")).allowed, true);
    assert.equal((await consume(policy(), 1)).allowed, true);
  });

  promises("inspect shows a block, and only while it lasts", async (scenario) => {
    const { store, policy, wait } = scenario;
    const checks = [{ policy: policy(), stateKey: KEY, cost: 0 }];
    await store.block(checks, 5_000);
    assert.equal((await store.inspect(checks))[0]?.blockedUntil, 1_699_920_005_000);
    wait(5_000);
    assert.deepEqual(await store.inspect(checks), [undefined]);
  });

  promises("a block may be longer than a timer can count", async (scenario) => {
    const { policy, consume, wait } = scenario;
    const ten = policy();
    await block(scenario, ten, 2 ** 32);
    wait(2 ** 32 - 1);
    assert.equal((await consume(ten)).blockedMs, 1);
    wait(1);
    assert.equal((await consume(ten)).allowed, true);
  });
}

async function block({ store }: Scenario, policy: ResolvedPolicy, ms: number): Promise<void> {
  await store.block([{ policy, stateKey: KEY, cost: 0 }], ms);
}

function numbers({ allowed, remaining, retryAfterMs, blockedMs }: PolicyDecision): object {
  return { allowed, remaining, retryAfterMs, blockedMs };
}
