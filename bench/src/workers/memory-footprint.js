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
      const arrivals = await arrive(decide, fresh, keys);
      const fillMs = performance.now() - began;
      collectGarbage();
      const bytes = (memory() - before) / keys;
      const rssMb = process.memoryUsage().rss / 2 ** 20;
      // Some have expired by now, so nothing of this can be used.
      if (fillMs > windowMs) return undefined;
      const end = await untilTheEnd(decide, fresh, began + windowMs, began + fillMs + windowMs + graceMs);
      return {
        bytes,
        arrivalMs: arrivals.longestMs,
        arrivalOwnMs: arrivals.longestOwnMs,
        endMs: end.longestMs,
        endOwnMs: end.longestOwnMs,
        rssMb,
      };
    },
  };
}

/**
 * New callers come, so many a turn.
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {FreshKeys} fresh
 * @param {number} keys
 */
async function arrive(decide, fresh, keys) {
  const turns = new Turns();
  for (let key = 0; key < keys;) {
    for (let turn = 0; turn < perTurn; turn++, key++) {
      const decision = decide(fresh.at(key));
      if (decision instanceof Promise) await decision;
    }
    await nextTurn();
    turns.end();
  }
  return turns;
}

/**
 * A little traffic until the last of the states has expired.
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {FreshKeys} fresh
 * @param {number} from
 * @param {number} end
 */
async function untilTheEnd(decide, fresh, from, end) {
  // Sleeps until shortly before the first expires.
  await new Promise((resolve) => setTimeout(resolve, from - 250 - performance.now()));
  const turns = new Turns();
  for (let key = 0; performance.now() < end; key = (key + 1) % perTurn) {
    await decide(fresh.at(fresh.count - 1 - key));
    await nextTurn();
    turns.end();
  }
  return turns;
}

/** The longest turn, by the clock and by CPU time: on a busy machine the clock also shows how long others ran. */
class Turns {
  longestMs = 0;
  longestOwnMs = 0;
  #began = performance.now();
  #cpu = process.cpuUsage();

  end() {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const ms = now - this.#began;
    this.longestMs = Math.max(this.longestMs, ms);
    // A turn takes no longer than the clock says, and undisturbed no longer than all threads of the process worked.
    this.longestOwnMs = Math.max(this.longestOwnMs, Math.min(ms, (user + system) / 1000));
    this.#began = now;
    this.#cpu = process.cpuUsage();
  }
}

function collectGarbage() {
  for (let time = 0; time < 3; time++) globalThis.gc?.();
}

function memory() {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
