import { compare } from "../report/comparison.js";
import { interleave } from "../measure/rounds.js";
import { RedisMeter, metered, startRedis } from "../measure/redis.js";
import { median } from "../measure/statistics.js";
import { seriesTable } from "../report/series.js";

/** Decisions of one process on one Redis, so many in flight. */
export const title = "Redis, one process, one server: ours and each peer's own Redis code";

const subjects = [
  { name: "ours", decider: "ours" },
  { name: "ours, gcra", decider: "ours, gcra" },
  { name: "ours, fixed window", decider: "ours, fixed window" },
  { name: "rate-limit-redis", decider: "rate-limit-redis" },
  { name: "rate-limit-redis, pipelined", decider: "rate-limit-redis", autoPipelining: true },
  { name: "@fastify/rate-limit", decider: "@fastify/rate-limit" },
  { name: "@fastify/rate-limit, pipelined", decider: "@fastify/rate-limit", autoPipelining: true },
  { name: "koa-ratelimit", decider: "koa-ratelimit" },
  { name: "rate-limiter-flexible", decider: "rate-limiter-flexible" },
  { name: "rate-limiter-flexible, pipelined", decider: "rate-limiter-flexible", autoPipelining: true },
];
const efforts = {
  full: { rounds: 13, ms: 300, warmUpMs: 1_000, inFlight: [1, 64, 1024] },
  quick: { rounds: 7, ms: 100, warmUpMs: 300, inFlight: [1, 64, 1024] },
  smoke: { rounds: 9, ms: 100, warmUpMs: 300, inFlight: [64] },
};
/** The slower peers are left out where time is short. */
const brief = new Set(["ours", "rate-limit-redis", "rate-limit-redis, pipelined", "@fastify/rate-limit, pipelined"]);
const columns = {
  perSecond: "decisions/s",
  clientUs: "client us",
  serverUs: "server us",
  bytes: "bytes",
  p50: "p50 ms",
  p99: "p99 ms",
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { rounds, ms, warmUpMs, inFlight } = efforts[effort];
  const compared = effort === "full" ? subjects : subjects.filter(({ name }) => brief.has(name));
  const server = await startRedis();
  const meter = new RedisMeter(server);
  const rows = [];
  try {
    for (const flying of inFlight) {
      const series = await interleave({
        worker: "redis-load",
        subjects: compared,
        options: (subject) => ({
          ...subject,
          ports: [server.port],
          quota: { limit: 1_000_000, windowMs: 60_000 },
          keys: 10_000,
        }),
        rounds,
        warmUp: (process) =>
          process.call("round", { inFlight: flying, ms: warmUpMs, atLeast: flying > 1 ? 60_000 : 0 }),
        round: (process) => measure(process, meter, { inFlight: flying, ms }),
      });
      print(`${flying} in flight`, seriesTable("client", series, columns));
      rows.push(...comparisons(flying, series));
    }
  } finally {
    await meter.close();
    await server.stop();
  }
  return rows;
}

/**
 * @param {import("../measure/subject-process.js").SubjectProcess} process
 * @param {RedisMeter} meter
 * @param {object} argument
 */
async function measure(process, meter, argument) {
  const { value, cpuUs, bytes } = await metered([meter], () => process.call("round", argument));
  const { decisions, denied, perSecond, clientUs, p50, p99 } = value;
  if (denied > 0) throw new Error(`${denied} of ${decisions} were denied where none should be`);
  return { perSecond, clientUs, serverUs: cpuUs / decisions, bytes: bytes / decisions, p50, p99 };
}

/**
 * @param {number} flying
 * @param {Map<string, Record<string, number[]>>} series
 */
function comparisons(flying, series) {
  /** @type {[keyof typeof columns, "least" | "most", string][]} */
  const promised =
    flying === 64
      ? [
          ["perSecond", "most", ">= 2.5"],
          ["clientUs", "least", "<= 0.25"],
          ["serverUs", "least", "<= 0.55"],
          ["bytes", "least", "<= 0.25"],
        ]
      : [["perSecond", "most", flying === 1 ? ">= 1" : ">= 6"]];
  const speed = (/** @type {string} */ name) => median(series.get(name)?.["perSecond"] ?? []);
  const peers = [...series.keys()].filter((name) => !name.startsWith("ours")).sort((a, b) => speed(b) - speed(a));
  return promised.map(([what, best, budget]) => {
    const figures = (/** @type {string} */ name) => series.get(name)?.[what] ?? [];
    return compare({
      part: "redis",
      case: `${flying} in flight`,
      unit: columns[what],
      budget,
      best,
      ours: figures("ours"),
      // All its figures are compared with those of the fastest peer.
      peers: new Map(peers.slice(0, 1).map((name) => [name, figures(name)])),
    });
  });
}
