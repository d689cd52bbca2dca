import { HttpLoad } from "../measure/http-load.js";
import { startRedis } from "../measure/redis.js";
import { interleave } from "../measure/rounds.js";
import { median } from "../measure/statistics.js";
import { seriesTable } from "../report/series.js";
import { frameworks } from "../servers/index.js";

export const title =
  "Real servers on loopback, 50 connections, 8 requests in flight on each: CPU added per request over the bare server";

const efforts = {
  full: { rounds: 13, requests: 8_000, warmUp: 16_000, frameworks: Object.keys(frameworks), briefly: false },
  quick: { rounds: 7, requests: 3_000, warmUp: 9_000, frameworks: ["fastify"], briefly: true },
  smoke: { rounds: 5, requests: 4_000, warmUp: 6_000, frameworks: ["fastify"], briefly: true },
};
/** Of the design: by framework, store, and what becomes of the request. */
const budgets = /** @type {Record<string, string>} */ ({
  "fastify, memory, allowed": "<= 0.5",
  "fastify, memory, denied": "<= 0.25",
  "koa, memory, allowed": "<= 0.6",
  "koa, memory, denied": "<= 0.6",
  "fastify, Redis, allowed": "<= 0.286",
  "fastify, Redis, denied": "<= 0.286",
  "koa, Redis, allowed": "<= 0.333",
  "koa, Redis, denied": "<= 0.333",
  "express, memory, allowed": "< 1",
  "express, memory, denied": "< 1",
  "express, Redis, allowed": "< 1",
  "express, Redis, denied": "< 1",
});
const columns = { cpuUs: "CPU us", added: "added us", perSecond: "requests/s", p99: "p99 ms" };

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const plan = efforts[effort];
  const load = await HttpLoad.start();
  const rows = [];
  try {
    for (const framework of plan.frameworks) {
      for (const outcome of /** @type {const} */ (["allowed", "denied"])) {
        const variants = (frameworks[framework] ?? []).filter(
          (name) => !plan.briefly || !/flexible, Redis|made up/.test(name),
        );
        const series = await measure(plan, load, framework, outcome, variants);
        print(`${framework}, ${outcome}`, seriesTable("server", series, columns));
        rows.push(...["memory", "Redis"].flatMap((store) => comparison(framework, store, outcome, series)));
      }
    }
  } finally {
    await load.stop();
  }
  return rows;
}

/**
 * On a Redis of its own: peers' keys name the caller only, and an earlier count would end in the middle of this one.
 * @param {typeof efforts.full} plan
 * @param {HttpLoad} load
 * @param {string} framework
 * @param {"allowed" | "denied"} outcome
 * @param {readonly string[]} variants
 */
async function measure(plan, load, framework, outcome, variants) {
  const redis = await startRedis();
  try {
    const series = await interleave({
      worker: "http-server",
      subjects: variants.map((name) => ({ name })),
      options: ({ name }) => ({ name, framework, redisPort: redis.port, ...quota(outcome, framework) }),
      rounds: plan.rounds,
      warmUp: (server) => load.send(server, plan.warmUp, "any"),
      round: (server, { name }) => load.send(server, plan.requests, name === "bare" ? "allowed" : outcome),
    });
    addedOverBare(series);
    return series;
  } finally {
    await redis.stop();
  }
}

/**
 * @param {"allowed" | "denied"} outcome
 * @param {string} framework
 */
function quota(outcome, framework) {
  if (outcome === "denied") return { limit: 1, windowMs: 3_600_000 };
  // Nest's peer keeps a list of all hits of the window and filters it for each request.
  return { limit: 1_000_000, windowMs: framework === "nest" ? 1_000 : 60_000 };
}

/**
 * What a limiter costs: the difference to the bare server of the same round.
 * @param {Map<string, Record<string, number[]>>} series
 */
export function addedOverBare(series) {
  const bare = series.get("bare")?.["cpuUs"] ?? [];
  for (const figures of series.values()) {
    figures["added"] = (figures["cpuUs"] ?? []).map((value, round) => value - (bare[round] ?? NaN));
  }
}

/**
 * @param {string} framework
 * @param {string} store
 * @param {string} outcome
 * @param {Map<string, Record<string, number[]>>} series
 * @returns {import("../report/comparison.js").Comparison[]}
 */
function comparison(framework, store, outcome, series) {
  const added = (/** @type {string} */ name) => median(series.get(name)?.["added"] ?? []);
  const ranked = [...series.keys()]
    .filter((name) => name.endsWith(store) && !name.startsWith("ours"))
    .sort((a, b) => added(a) - added(b));
  const ours = added(`ours, ${store}`);
  const [peerName] = ranked;
  const name = `${framework}, ${store}, ${outcome}`;
  const best = /** @type {const} */ ("least");
  const row = { part: "servers", case: name, best, unit: "CPU us added a request", ours, budget: budgets[name] ?? "" };
  if (peerName === undefined) return [{ ...row, peer: NaN, peerName: "", ratio: NaN }];
  // Of the medians: a difference of two figures of one round is too small to be divided by another.
  return [
    { ...row, peer: added(peerName), peerName: peerName.replace(/, .*/, ""), ratio: ratioOf(ours, added(peerName)) },
  ];
}

/**
 * Where the bare server's own noise is larger than what a limiter adds, a difference can be below nothing.
 * @param {number} ours
 * @param {number} theirs
 */
function ratioOf(ours, theirs) {
  if (theirs > 0) return Math.max(ours, 0) / theirs;
  return ours <= theirs ? 0 : Infinity;
}
