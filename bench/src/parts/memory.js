import { interleave } from "../measure/rounds.js";
import { compare } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";

export const title = "Decisions in memory, fresh key strings: ours and the peers' memory stores";

const k = 1_000;
/** @type {{ name: string, keys: number, distribution: "uniform" | "zipf", denied: boolean, budget: [string, string] }[]} */
const cases = [
  { name: "1 hot key, allowed", keys: 1, distribution: "uniform", denied: false, budget: ["", ""] },
  {
    name: "10 k keys, uniform, allowed",
    keys: 10 * k,
    distribution: "uniform",
    denied: false,
    budget: ["<= 0.5", "<= 0.67"],
  },
  {
    name: "10 k keys, Zipf, allowed",
    keys: 10 * k,
    distribution: "zipf",
    denied: false,
    budget: ["<= 0.5", "<= 0.67"],
  },
  { name: "10 k keys, uniform, denied", keys: 10 * k, distribution: "uniform", denied: true, budget: ["", ""] },
  {
    name: "1 M keys, uniform, allowed",
    keys: k * k,
    distribution: "uniform",
    denied: false,
    budget: ["<= 0.333", "<= 0.455"],
  },
  {
    name: "1 M keys, Zipf, allowed",
    keys: k * k,
    distribution: "zipf",
    denied: false,
    budget: ["<= 0.333", "<= 0.455"],
  },
  { name: "1 M keys, uniform, denied", keys: k * k, distribution: "uniform", denied: true, budget: ["", ""] },
];
const efforts = {
  full: { rounds: 11, ms: 70, cases, peers: undefined },
  quick: { rounds: 5, ms: 50, cases: [cases[1], cases[3], cases[4]], peers: 3 },
  smoke: { rounds: 5, ms: 100, cases: [cases[1], cases[3]], peers: 2 },
};
const ours = ["ours", "ours, gcra", "ours, token bucket", "ours, fixed window"];
/** The best first, for where time is short. */
const peers = [
  "express-rate-limit",
  "hono-rate-limiter",
  "limiter, in a Map",
  "@fastify/rate-limit, cache = keys",
  "koa-ratelimit",
  "rate-limiter-flexible",
  "@fastify/rate-limit (forgets beyond 5,000)",
  "@nestjs/throttler",
];
const columns = { cpuNs: "CPU ns", wallNs: "wall ns" };

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const plan = efforts[effort];
  const rows = [];
  for (const each of plan.cases) {
    if (each === undefined) continue;
    const compared = [...(effort === "full" ? ours : ours.slice(0, 1)), ...peers.slice(0, plan.peers)];
    const series = await interleave({
      worker: "memory-decisions",
      subjects: compared.filter((name) => canBeMeasured(name, each.denied)).map((name) => ({ name })),
      options: ({ name }) => ({ ...each, decider: name }),
      rounds: plan.rounds,
      round: (process) => process.call("round", { ms: plan.ms }),
    });
    print(each.name, seriesTable("store", series, columns));
    rows.push(comparison(each, series));
  }
  return rows;
}

/**
 * @param {string} name
 * @param {boolean} denied
 */
function canBeMeasured(name, denied) {
  // Who forgets does not deny. And of one key Nest's would keep hundreds of thousands of hits, and search all for each further one.
  return denied ? !name.includes("forgets") : name !== "@nestjs/throttler";
}

/**
 * @param {typeof cases[number]} each
 * @param {Map<string, Record<string, number[]>>} series
 */
function comparison({ name, budget }, series) {
  const candidates = [...series.keys()].filter((each) => !each.startsWith("ours") && !each.includes("forgets"));
  const figures = (/** @type {string} */ subject) => series.get(subject)?.["cpuNs"] ?? [];
  // The newest Node makes the peers' Maps faster than ours.
  const [onNode20, onNewest] = budget;
  return compare({
    part: "memory",
    case: name,
    unit: "CPU ns a decision",
    budget: Number(process.versions.node.split(".")[0]) > 22 ? onNewest : onNode20,
    best: "least",
    ours: figures("ours"),
    peers: new Map(candidates.map((each) => [each, figures(each)])),
  });
}
