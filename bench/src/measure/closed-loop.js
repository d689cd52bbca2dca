import { quantile } from "./statistics.js";

/**
 * Keeps so many decisions in flight for so long, and measures this process meanwhile.
 *
 * @param {object} plan
 * @param {number} plan.inFlight
 * @param {number} plan.ms
 * @param {number} [plan.atLeast] decisions, however long they take
 * @param {() => string} plan.nextKey
 * @param {(key: string) => Promise<boolean>} plan.decide
 */
export async function closedLoop({ inFlight, ms, atLeast = 0, nextKey, decide }) {
  /** @type {number[]} */
  const latencies = [];
  let decisions = 0;
  let denied = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const end = start + ms;

  async function caller() {
    for (let number = 0; ; number++) {
      // Every eighth is timed: the clock costs as much as some of what is measured here.
      const sampled = number % 8 === 0;
      const from = sampled ? performance.now() : 0;
      if (from > end && decisions >= atLeast) return;
      if (!(await decide(nextKey()))) denied++;
      decisions++;
      if (sampled) latencies.push(performance.now() - from);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));

  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    decisions,
    denied,
    seconds,
    perSecond: decisions / seconds,
    clientUs: (user + system) / decisions,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
