import assert from "node:assert/strict";
import type { Check, Reply } from "../domain/store.ts";
import { pick } from "./decisions.ts";
import type { Promises } from "./promises.ts";
import { KEY } from "./scenario.ts";

/** The other ways to an answer: without a promise, without asking, about nothing. */
export function answers(promises: Promises): void {
  promises("an answer without a promise is the one that consume gives", async ({ store, policy }) => {
    if (store.consumeInto === undefined) return;
    const [two, twin] = [policy({ limit: 2 }), policy({ limit: 2 })];
    for (const allowed of [true, true, false]) {
      const promised = await store.consume([{ policy: two, stateKey: KEY, cost: 1 }]);
      const told = await new Promise<Reply>((settle, fail) => {
        store.consumeInto?.([{ policy: twin, stateKey: KEY, cost: 1 }], { deadline: Infinity, settle, fail });
      });
      assert.equal(told.allowed, allowed);
      assert.deepEqual(
        { ...told, policies: told.policies.map(pick) },
        { ...promised, policies: promised.policies.map(pick) },
      );
    }
  });

  promises("what a store remembers is a denial that still holds", async ({ store, policy }) => {
    const two = policy({ limit: 2 });
    const asked = (cost: number): Check[] => [{ policy: two, stateKey: KEY, cost }];
    const remembered = (): Reply | undefined => store.remembered?.(asked(2));
    assert.equal(remembered(), undefined);
    await store.consume(asked(1));
    assert.equal(remembered(), undefined);
    const denied = await store.consume(asked(2));
    const again = remembered();
    if (again !== undefined) {
      assert.equal(again.allowed, false);
      assert.equal(again.policies.length, 1);
      assert.ok((again.policies[0]?.retryAfterMs ?? 0) <= (denied.policies[0]?.retryAfterMs ?? 0));
    }
    assert.equal(store.remembered?.(asked(1)), undefined);
    await store.reset(asked(0));
    assert.equal(remembered(), undefined);
  });

  promises("who asks about nothing is admitted, and nothing is written", async ({ store, at }) => {
    at(10);
    const nothing = { allowed: true, policies: [], source: "store" };
    const { at: peeked, ...looked } = await store.peek([]);
    assert.deepEqual(looked, nothing);
    for (const answering of [store.consume([]), store.raise([]), store.charge([])]) {
      const { at: now, ...reply } = await answering;
      assert.deepEqual(reply, nothing);
      assert.ok(Number.isSafeInteger(now) && now >= peeked);
    }
    await Promise.all([store.refund([]), store.reset([]), store.block([], 1_000)]);
    assert.deepEqual(await store.inspect([]), []);
  });
}
