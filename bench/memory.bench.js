// What a flood of new callers costs the memory store: bytes a key, the longest turn of the event loop while they arrive,
// 500 keys a turn, and whether the store stays within its bound.
import { createLimiter, memoryStore } from "@aforo/core";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = /** @type {() => void} */ (runInNewContext("gc"));
const millions = process.argv.includes("--quick") ? [1] : [1, 5];
const PER_TURN = 500;

console.log(
  "algorithm".padEnd(24),
  "new keys".padStart(10),
  "held".padStart(10),
  "bytes a key".padStart(12),
  "longest turn".padStart(14),
);
for (const million of millions) {
  for (const algorithm of /** @type {const} */ (["sliding-window-counter", "token-bucket", "gcra", "fixed-window"])) {
    await flood(algorithm, million * 1_000_000, million * 1_000_000);
  }
}
await flood("sliding-window-counter", 1_000_000, 100_000);

/**
 * @param {"sliding-window-counter" | "token-bucket" | "gcra" | "fixed-window"} algorithm
 * @param {number} keys
 * @param {number} maxKeys
 */
async function flood(algorithm, keys, maxKeys) {
  const store = memoryStore({ maxKeys });
  const limiter = createLimiter({ store, policies: [{ name: "p", algorithm, limit: "1/hour" }] });
  collectGarbage();
  const before = used();
  let longest = 0;
  let most = 0;
  for (let key = 0; key < keys;) {
    const start = performance.now();
    for (let turn = 0; turn < PER_TURN; turn++, key++) limiter.consume(`user:${String(key).padStart(10, "0")}`);
    longest = Math.max(longest, performance.now() - start);
    most = Math.max(most, store.size);
    await nextTurn();
  }
  collectGarbage();
  const bytes = (used() - before) / store.size;
  console.log(
    algorithm.padEnd(24),
    String(keys).padStart(10),
    String(most).padStart(10),
    bytes.toFixed(0).padStart(12),
    `${longest.toFixed(1)} ms`.padStart(14),
  );
  if (most > maxKeys) throw new Error(`the store held ${most} keys, more than maxKeys`);
  await limiter.close();
  store.close();
}

function used() {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
