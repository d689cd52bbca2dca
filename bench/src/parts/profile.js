import { HttpLoad } from "../measure/http-load.js";
import { startRedis } from "../measure/redis.js";
import { SubjectProcess } from "../measure/subject-process.js";
import { table } from "../report/table.js";

export const title = "Where the time goes: functions by their own share of the CPU";

const efforts = { full: { seconds: 4, shown: 18 }, quick: { seconds: 1, shown: 10 }, smoke: { seconds: 1, shown: 10 } };
const quota = { limit: 1_000_000, windowMs: 60_000 };

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { seconds, shown } = efforts[effort];
  const ms = seconds * 1_000;
  const redis = await startRedis();
  const load = await HttpLoad.start();
  try {
    const decisions = { decider: "ours", keys: 10_000, distribution: "uniform", denied: false };
    await profiled("a decision in memory, 10 k keys", "memory-decisions", decisions, (process) =>
      process.call("round", { ms }),
    );
    const onRedis = { decider: "ours", ports: [redis.port], keys: 10_000, quota };
    await profiled("a decision on Redis, 64 in flight", "redis-load", onRedis, (process) =>
      process.call("round", { inFlight: 64, ms }),
    );
    const server = { framework: "fastify", name: "ours, memory", redisPort: redis.port, ...quota };
    await profiled("a request to Fastify, limited in memory", "http-server", server, (process) =>
      load.send(process, seconds * 8_000, "allowed"),
    );
  } finally {
    await load.stop();
    await redis.stop();
  }
  return [];

  /**
   * @param {string} name
   * @param {string} worker
   * @param {object} options
   * @param {(process: SubjectProcess) => Promise<unknown>} work
   */
  async function profiled(name, worker, options, work) {
    const process = await SubjectProcess.start(worker, options);
    try {
      await work(process);
      await process.call("startProfile");
      await work(process);
      /** @type {{ name: string, share: number }[]} */
      const functions = await process.call("stopProfile");
      print(
        name,
        table(
          ["%", "function"],
          functions.slice(0, shown).map((each) => [each.share * 100, each.name]),
        ),
      );
    } finally {
      await process.stop();
    }
  }
}
