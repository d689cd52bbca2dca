import assert from "node:assert/strict";
import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { Check } from "../domain/store.ts";
import type { Capabilities } from "./scenario.ts";
import { KEY } from "./scenario.ts";
import type { Promises } from "./promises.ts";

/** Names that a store might take for something else. */
const SPECIAL_KEYS = [
  "",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "a",
  "A",
  " a",
  "a ",
  "a\u0000",
  "a\u0000b",
  "a\nb",
  "a:b",
  "a/b",
  "a|b",
  "a%2Fb",
  "%00",
  "{a}",
  "{a}b",
  "a{b",
  "a}b",
  "{}",
  "*",
  "?",
  "[a-z]",
  "\\",
  "é",
  "e\u0301",
  "日本",
  "🙂",
  "\ud83d",
  "\ude42",
  "\ufffd",
  "0",
  "-1",
  "NaN",
  "undefined",
  "x".repeat(255),
  "x".repeat(256),
  "日".repeat(256),
];

/** That states stay apart, and hold together under concurrency. */
export function isolation(promises: Promises, { atomicAcrossKeys = true }: Capabilities): void {
  for (const algorithm of ALGORITHMS) {
    promises(`A21 ${algorithm}: every text is a key of its own`, async ({ policy, consume, store }) => {
      const two = policy({ algorithm, limit: 2 });
      for (const key of SPECIAL_KEYS) assert.equal((await consume(two, 1, key)).remaining, 1, JSON.stringify(key));
      for (const key of SPECIAL_KEYS) assert.equal((await consume(two, 1, key)).remaining, 0, JSON.stringify(key));
      for (const key of SPECIAL_KEYS) assert.equal((await consume(two, 1, key)).allowed, false, JSON.stringify(key));
      await store.reset([{ policy: two, stateKey: "__proto__", cost: 0 }]);
      assert.equal((await consume(two, 2, "__proto__")).allowed, true);
      assert.equal((await consume(two, 1, "constructor")).allowed, false);
    });

    promises(`${algorithm}: 1,000 parallel requests admit exactly the limit`, async ({ store, policy }) => {
      const check: Check = { policy: policy({ algorithm, limit: 300 }), stateKey: KEY, cost: 1 };
      const replies = await Promise.all(Array.from({ length: 1_000 }, () => store.consume([check])));
      const admitted = replies.filter(({ allowed }) => allowed);
      assert.equal(admitted.length, 300);
      const remaining = admitted.map(({ policies }) => policies[0]?.remaining);
      assert.deepEqual(new Set(remaining), new Set(Array.from({ length: 300 }, (_, i) => i)));
    });
  }

  promises("parallel requests over several policies charge all of them or none", async ({ store, policy }) => {
    const policies = [policy({ limit: 500 }), policy({ limit: 60, algorithm: "token-bucket" }), policy({ limit: 400 })];
    const checks = policies.map((each, i) => ({ policy: each, stateKey: atomicAcrossKeys ? `k${i}` : KEY, cost: 1 }));
    const replies = await Promise.all(Array.from({ length: 500 }, () => store.consume(checks)));
    assert.equal(replies.filter(({ allowed }) => allowed).length, 60);
    assert.deepEqual(
      (await store.peek(checks)).policies.map(({ remaining }) => remaining),
      [440, 0, 340],
    );
  });

  promises("parallel refunds give back each charge once", async ({ store, policy }) => {
    const check: Check = { policy: policy({ limit: 100 }), stateKey: KEY, cost: 1 };
    const replies = await Promise.all(Array.from({ length: 100 }, () => store.consume([check])));
    const receipts = replies.map(({ policies }) => policies[0]?.receipt as string | number);
    await Promise.all(receipts.slice(0, 40).map((receipt) => store.refund([{ ...check, receipt }])));
    assert.equal((await store.peek([check])).policies[0]?.remaining, 40);
  });

  promises("different windows and names never share a state", async ({ policy, consume }) => {
    const policies = [
      policy({ name: "a", limit: 1, window: 1_000 }),
      policy({ name: "a", limit: 1, window: 10_000 }),
      policy({ name: "a.1", limit: 1, window: 1_000 }),
      policy({ name: "a", limit: 1, window: 1_000, algorithm: "gcra" }),
      policy({ name: "a", limit: 1, window: 10_000, algorithm: "gcra" }),
      policy({ name: "a", limit: 1, window: 1_000, mode: "shadow" }),
    ];
    for (const key of ["k", "1000/k", "a/k"]) {
      for (const each of policies) assert.equal((await consume(each, 1, key)).allowed, true);
    }
  });

  promises("closing twice is no error", async ({ store }) => {
    await store.close();
    await store.close();
  });
}
