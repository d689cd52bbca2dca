import { SubjectProcess } from "../measure/subject-process.js";
import { median } from "../measure/statistics.js";
import { compare, figure } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";

export const title =
  "Memory per key, and the longest turn of the event loop while keys arrive and when their window ends";

const million = 1_000_000;
const ours = ["ours", "ours, gcra", "ours, token bucket", "ours, fixed window"];
const lean = ["koa-ratelimit", "express-rate-limit", "@fastify/rate-limit, cache = keys"];
const heavy = ["rate-limiter-flexible", "limiter, in a Map", "hono-rate-limiter"];
const efforts = {
  full: [
    { keys: million, windowMs: 6_000, rounds: 1, subjects: [...ours, ...lean, ...heavy] },
    {
      keys: 5 * million,
      windowMs: 40_000,
      rounds: 1,
      subjects: [...ours.slice(0, 2), ...lean.slice(0, 1)],
    },
  ],
  quick: [{ keys: million, windowMs: 5_000, rounds: 1, subjects: [...ours.slice(0, 2), ...lean.slice(0, 1)] }],
  smoke: [{ keys: 200_000, windowMs: 2_500, rounds: 1, subjects: [...ours.slice(0, 1), ...lean.slice(0, 1)] }],
};
const columns = {
  bytes: "bytes a key",
  arrivalMs: "turn, arrivals, ms",
  arrivalOwnMs: "own ms",
  endMs: "turn, window end, ms",
  endOwnMs: "own ms",
  rssMb: "RSS MB",
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const rows = [];
  for (const plan of efforts[effort]) {
    /** @type {Map<string, Record<string, number[]>>} */
    const series = new Map();
    for (let round = 0; round < plan.rounds; round++) {
      for (const decider of plan.subjects) {
        const measured = await flood({ decider, keys: plan.keys, windowMs: plan.windowMs });
        const all = series.get(decider) ?? {};
        for (const [what, value] of Object.entries(measured)) (all[what] ??= []).push(value);
        series.set(decider, all);
      }
    }
    print(`${plan.keys / million} M keys`, seriesTable("store", series, columns));
    rows.push(...comparisons(plan.keys, series));
  }
  return rows;
}

/**
 * A new process for each flood: a heap that has been full once is another one. On a machine that is too slow for the
 * window, with a longer one.
 * @param {{ decider: string, keys: number, windowMs: number }} options
 * @returns {Promise<Record<string, number>>}
 */
async function flood(options) {
  const process = await SubjectProcess.start("memory-footprint", options);
  try {
    const measured = await process.call("flood");
    if (measured !== undefined) return measured;
  } finally {
    await process.stop();
  }
  return flood({ ...options, windowMs: options.windowMs * 2 });
}

/**
 * @param {number} keys
 * @param {Map<string, Record<string, number[]>>} series
 */
function comparisons(keys, series) {
  const name = `${keys / million} M keys`;
  const of = (/** @type {string} */ subject, /** @type {keyof typeof columns} */ what) =>
    series.get(subject)?.[what] ?? [];
  const peersOf = (/** @type {keyof typeof columns} */ what) =>
    new Map([...series.keys()].filter((each) => !each.startsWith("ours")).map((each) => [each, of(each, what)]));
  const bytesBudgets = { ours: "<= 100", "ours, gcra": "<= 80", "ours, token bucket": "<= 80" };
  const rows = [
    compare({
      part: "footprint",
      case: name,
      unit: columns.bytes,
      budget: keys === million ? "<= 0.45" : "",
      best: "least",
      ours: of("ours", "bytes"),
      peers: peersOf("bytes"),
    }),
  ];
  for (const [subject, budget] of Object.entries(keys === million ? bytesBudgets : {})) {
    if (!series.has(subject)) continue;
    rows.push(
      figure({
        part: "footprint",
        case: `${name}: ${subject}`,
        unit: columns.bytes,
        ours: median(of(subject, "bytes")),
        budget,
      }),
    );
  }
  const bounds = new Map([
    [million, "<= 20"],
    [5 * million, "<= 60"],
  ]);
  for (const [what, when] of /** @type {const} */ ([
    ["arrivalOwnMs", "arrivals"],
    ["endOwnMs", "window end"],
  ])) {
    const compared = compare({
      part: "footprint",
      case: `${name}, ${when}`,
      // By the clock or by CPU time of all threads, whichever is less: an undisturbed turn takes no longer.
      unit: "longest turn, own ms",
      best: "least",
      ours: of("ours", what),
      peers: peersOf(what),
    });
    // The promise is the figure itself; the peers stand beside it.
    rows.push({ ...compared, budget: bounds.get(keys) ?? "", bounded: compared.ours });
  }
  return rows;
}
