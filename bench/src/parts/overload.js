import { HttpLoad } from "../measure/http-load.js";
import { RedisMeter, metered, startRedis } from "../measure/redis.js";
import { interleave } from "../measure/rounds.js";
import { median, ratioByRound } from "../measure/statistics.js";
import { seriesTable } from "../report/series.js";

export const title = "Overload: what a rejected request costs of what an admitted one costs, ours";

const efforts = {
  full: { rounds: 11, ms: 100, requests: 3_000, warmUp: 16_000, frameworks: ["fastify", "koa", "express", "nest"] },
  quick: { rounds: 6, ms: 60, requests: 1_500, warmUp: 6_000, frameworks: ["fastify"] },
  smoke: { rounds: 3, ms: 100, requests: 3_000, warmUp: 3_000, frameworks: [] },
};
const outcomes = [{ name: "admitted" }, { name: "rejected" }];
const generous = { limit: 1_000_000, windowMs: 60_000 };
const strict = { limit: 1, windowMs: 3_600_000 };

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const plan = efforts[effort];
  const redis = await startRedis();
  const meter = new RedisMeter(redis);
  const load = await HttpLoad.start();
  const rows = [];
  try {
    rows.push(
      await compared("decision, memory, 10 k keys", {
        worker: "memory-decisions",
        options: ({ name }) => ({
          decider: "ours",
          keys: 10_000,
          distribution: "uniform",
          denied: name === "rejected",
        }),
        round: async (process) => ({ us: (await process.call("round", { ms: plan.ms })).cpuNs / 1000 }),
      }),
      await compared("decision, Redis (client and server), 100 keys", {
        worker: "redis-load",
        options: ({ name }) => ({ decider: "ours", ports: [redis.port], keys: 100, quota: quotaOf(name) }),
        warmUp: (process) => process.call("round", { inFlight: 64, ms: plan.ms, atLeast: 2_000 }),
        round: async (process) => {
          const { value, cpuUs } = await metered([meter], () => process.call("round", { inFlight: 64, ms: plan.ms }));
          return { us: value.clientUs + cpuUs / value.decisions };
        },
      }),
    );
    for (const framework of plan.frameworks) {
      for (const store of ["memory", "Redis"]) {
        rows.push(
          await compared(`whole request, ${framework}, ${store}`, {
            worker: "http-server",
            options: ({ name }) => ({ framework, name: `ours, ${store}`, redisPort: redis.port, ...quotaOf(name) }),
            warmUp: (server) => load.send(server, plan.warmUp, "any"),
            round: async (server, { name }) => ({
              us: (await load.send(server, plan.requests, name === "rejected" ? "denied" : "allowed")).cpuUs,
            }),
          }),
        );
      }
    }
  } finally {
    await load.stop();
    await meter.close();
    await redis.stop();
  }
  return rows;

  /**
   * @param {string} name
   * @param {Pick<Parameters<typeof interleave<{ name: string }>>[0], "worker" | "options" | "warmUp" | "round">} how
   */
  async function compared(name, how) {
    const series = await interleave({ ...how, subjects: outcomes, rounds: plan.rounds });
    print(name, seriesTable("request", series, { us: "CPU us" }));
    const [admitted = [], rejected = []] = outcomes.map((outcome) => series.get(outcome.name)?.["us"]);
    return {
      part: "overload",
      case: name,
      unit: "CPU us, rejected by admitted",
      best: /** @type {const} */ ("least"),
      ours: median(rejected),
      peer: median(admitted),
      peerName: "ours, admitted",
      ratio: ratioByRound(rejected, admitted),
      budget: "<= 1",
    };
  }
}

/** @param {string} outcome */
function quotaOf(outcome) {
  return outcome === "rejected" ? strict : generous;
}
