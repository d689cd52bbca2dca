import { FreshKeys, indexes } from "../measure/keys.js";
import { memoryDeciders } from "../subjects/memory.js";

/** So few that the strings are still in the processor's caches, where a parser would have just put them. */
const batch = 1_000;

/**
 * @param {{ decider: string, keys: number, distribution: "uniform" | "zipf", denied: boolean }} options
 */
export async function start({ decider, keys, distribution, denied }) {
  const subject = memoryDeciders[decider];
  if (subject === undefined) throw new Error(`no subject is called "${decider}"`);
  const quota = denied ? { limit: 1, windowMs: 3_600_000, keys } : { limit: 120_000_000, windowMs: 60_000, keys };
  const decide = subject.make(quota);
  const fresh = new FreshKeys(keys);
  const drawn = indexes(keys, distribution);
  // Whoever answers at once is not waited for, as its middleware would not.
  const decideAll = decide(fresh.at(0)) instanceof Promise ? decideAsync : decideSync;
  for (let key = 0; key < keys;) key = await fill(key);
  let at = 0;
  // As many as it takes to have everything compiled, however busy the machine is.
  for (let count = 0; count < 400; count++) await decideAll(decide, cut());

  return {
    async round(/** @type {{ ms: number }} */ { ms }) {
      let decisions = 0;
      let allowed = 0;
      let wallMs = 0;
      let cpuUs = 0;
      while (wallMs < ms || decisions < 50 * batch) {
        // Outside of what is timed: HTTP parsers make new strings in any case.
        const texts = cut();
        const cpu = process.cpuUsage();
        const start = performance.now();
        allowed += await decideAll(decide, texts);
        wallMs += performance.now() - start;
        const { user, system } = process.cpuUsage(cpu);
        cpuUs += user + system;
        decisions += batch;
      }
      if (denied ? allowed > 0 : allowed < decisions) throw new Error(`${allowed} of ${decisions} were allowed`);
      return { cpuNs: (cpuUs * 1000) / decisions, wallNs: (wallMs * 1e6) / decisions };
    },
  };

  function cut() {
    return Array.from({ length: batch }, () => fresh.at(drawn[at++ & (drawn.length - 1)] ?? 0));
  }

  /** @param {number} from */
  async function fill(from) {
    const count = Math.min(batch, keys - from);
    await decideAll(
      decide,
      Array.from({ length: count }, (_, index) => fresh.at(from + index)),
    );
    return from + count;
  }
}

/**
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {readonly string[]} keys
 */
function decideSync(decide, keys) {
  let allowed = 0;
  for (const key of keys) if (decide(key)) allowed++;
  return allowed;
}

/**
 * @param {import("../subjects/memory.js").Decide} decide
 * @param {readonly string[]} keys
 */
async function decideAsync(decide, keys) {
  let allowed = 0;
  for (const key of keys) if (await decide(key)) allowed++;
  return allowed;
}
