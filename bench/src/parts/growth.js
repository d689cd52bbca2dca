import { RedisMeter, metered, startRedis } from "../measure/redis.js";
import { interleave } from "../measure/rounds.js";
import { median } from "../measure/statistics.js";
import { figure } from "../report/comparison.js";
import { table } from "../report/table.js";

export const title = "Growth: time per decision over the number of keys, and of the sliding log over its limit";

/** Decisions until the code is compiled; each of the peer's is a walk through its log. */
const warmUp = { "ours, memory": 50_000, "ours, Redis": 2_000, "@nestjs/throttler, memory": 500 };
const efforts = {
  full: { rounds: 5, ms: 200, keys: [1e3, 1e4, 1e5, 1e6, 4e6], decisions: 20_000, limits: [100, 1e3, 1e4, 1e5] },
  quick: { rounds: 3, ms: 60, keys: [1e4, 1e6], decisions: 2_000, limits: [100, 1e4] },
  smoke: { rounds: 3, ms: 60, keys: [1e4, 1e6], decisions: 3_000, limits: [100, 1e4] },
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  return [...(await overKeys(efforts[effort], print)), ...(await overLimits(efforts[effort], print))];
}

/**
 * The memory store against a bare `Map`, which no store of strings can be faster than: what grows there is the cost of
 * memory that is in no cache.
 * @param {typeof efforts.full} plan
 * @param {import("../cli/parts.js").PartContext["print"]} print
 */
async function overKeys({ rounds, ms, keys }, print) {
  const subjects = ["ours", "ours, gcra", "a bare Map"].map((name) => ({ name }));
  /** @type {Map<string, number[]>} */
  const curves = new Map(subjects.map(({ name }) => [name, []]));
  for (const count of keys) {
    const series = await interleave({
      worker: "memory-decisions",
      subjects,
      options: ({ name }) => ({ decider: name, keys: count, distribution: "uniform", denied: false }),
      rounds,
      round: (process) => process.call("round", { ms }),
    });
    for (const [name, figures] of series) curves.get(name)?.push(median(figures["cpuNs"] ?? []));
  }
  print("CPU ns a decision, in memory, by number of keys", curveTable(keys, curves));
  const growth = (/** @type {string} */ name) => {
    const curve = curves.get(name) ?? [];
    return (curve[keys.indexOf(1e6)] ?? NaN) / (curve[keys.indexOf(1e4)] ?? NaN);
  };
  const best = /** @type {const} */ ("least");
  const row = { part: "growth", best, unit: "times slower", peer: growth("a bare Map"), peerName: "a bare Map" };
  return [
    {
      ...row,
      case: "1 M keys instead of 10 k",
      ours: growth("ours"),
      ratio: growth("ours") / row.peer,
      budget: "<= 1",
    },
  ];
}

/**
 * @param {typeof efforts.full} plan
 * @param {import("../cli/parts.js").PartContext["print"]} print
 */
async function overLimits({ rounds, decisions, limits }, print) {
  const server = await startRedis();
  const meter = new RedisMeter(server);
  const rows = [];
  try {
    /** @type {Map<string, number[]>} */
    const curves = new Map();
    for (const name of /** @type {(keyof typeof warmUp)[]} */ (Object.keys(warmUp))) {
      for (const limit of limits) {
        // Linear in its log, and that log takes as long to fill: the longest would take minutes.
        if (name.startsWith("@nestjs") && limit > 1e4) continue;
        const series = await interleave({
          worker: "sliding-log",
          subjects: [{ name }],
          options: () => ({ name, limit, port: server.port }),
          rounds,
          warmUp: (process) => process.call("round", { decisions: warmUp[name] }),
          round: async (process) => {
            const count = name === "ours, memory" ? decisions * 10 : Math.min(decisions, warmUp[name]);
            const { value, cpuUs } = await metered([meter], () => process.call("round", { decisions: count }));
            return { us: name.endsWith("Redis") ? cpuUs / count : value.clientUs };
          },
        });
        curves.set(name, [...(curves.get(name) ?? []), median(series.get(name)?.["us"] ?? [])]);
      }
    }
    print(
      "us a decision of a full sliding log, by its limit (in Redis: CPU of the server)",
      curveTable(limits, curves),
    );
    for (const name of ["ours, memory", "ours, Redis"]) {
      const curve = curves.get(name) ?? [];
      const [first = NaN] = curve;
      const [from = NaN, to = NaN] = [limits[0], limits.at(-1)];
      rows.push(
        figure({
          part: "growth",
          case: `sliding log of ${to.toLocaleString("en-US")} instead of ${from}: ${name}`,
          unit: "times slower",
          ours: (curve.at(-1) ?? NaN) / first,
          // What O(log n) allows.
          budget: `<= ${(Math.log(to) / Math.log(from)).toFixed(1)}`,
        }),
      );
    }
  } finally {
    await meter.close();
    await server.stop();
  }
  return rows;
}

/**
 * @param {readonly number[]} sizes
 * @param {ReadonlyMap<string, readonly number[]>} curves
 */
function curveTable(sizes, curves) {
  return table(
    ["", ...sizes.map((size) => size.toLocaleString("en-US"))],
    [...curves].map(([name, curve]) => [name, ...sizes.map((_, index) => curve[index] ?? NaN)]),
  );
}
