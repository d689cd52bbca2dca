import { setImmediate as nextTurn } from "node:timers/promises";
import { FreshKeys } from "../measure/keys.js";
import { memoryDeciders } from "../subjects/memory.js";

const perTurn = 500;
/** From here on everything that was counted has expired; stores tidy up a little later, some by timers. */
const graceMs = 1_500;

/** @param {{ decider: string, keys: number, windowMs: number }} options */
export async function start({ decider, keys, windowMs }) {
  const subject = memoryDeciders[decider];
  if (subject === undefined) throw new Error(`no subject is called "${decider}"`);
  const fresh = new FreshKeys(keys + perTurn);
  // Code gets compiled, and is not measured, on a store of its own.
  await arrive(subject.make({ limit: 1, windowMs: 1, keys: 50_000 }), fresh, 50_000);

  return {
    async flood() {
      collectGarbage();
      const before = memory();
      const decide = subject.make({ limit: 1, windowMs, keys });
      const began = performance.now();
      const arrivalTurnMs = await arrive(decide, fresh, keys);
      const fillMs = performance.now() - began;
      collectGarbage();
      const bytes = (memory() - before) / keys;
      const rssMb = process.memoryUsage().rss / 2 ** 20;
      // Some have expired by now, so nothing of this can be used.
      if (fillMs > windowMs) return undefined;
      const endTurnMs = await untilTheEnd(decide, fresh, began + windowMs, began + fillMs + windowMs + graceMs);
      return { bytes, arrivalTurnMs, endTurnMs, rssMb };
    },
  };
}

/**
 * New callers come, so many a turn. Gives the longest turn.
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {FreshKeys} fresh
 * @param {number} keys
 */
async function arrive(decide, fresh, keys) {
  let longest = 0;
  let last = performance.now();
  for (let key = 0; key < keys;) {
    for (let turn = 0; turn < perTurn; turn++, key++) {
      const decision = decide(fresh.at(key));
      if (decision instanceof Promise) await decision;
    }
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

/**
 * A little traffic until the last of the states has expired. Gives the longest turn, the forced collection aside.
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {FreshKeys} fresh
 * @param {number} from
 * @param {number} end
 */
async function untilTheEnd(decide, fresh, from, end) {
  let longest = 0;
  await nextTurn();
  for (let last = performance.now(), key = 0; last < end; key = (key + 1) % perTurn) {
    // Sleeps until shortly before the first expires.
    if (last < from - 250) await new Promise((resolve) => setTimeout(resolve, from - 250 - last));
    await decide(fresh.at(fresh.count - 1 - key));
    await nextTurn();
    const now = performance.now();
    if (last >= from - 250) longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

function collectGarbage() {
  for (let time = 0; time < 3; time++) globalThis.gc?.();
}

function memory() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
