import { RedisMeter, metered, startCluster, startRedis } from "../measure/redis.js";
import { interleave } from "../measure/rounds.js";
import { compare } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";

export const title = "One and several policies a request, on one Redis and on a Cluster of three masters, 64 in flight";

const peer = { name: "rate-limiter-flexible", decider: "rate-limiter-flexible", autoPipelining: true };
/** The peer's union charges what it denies as well, so it does less than all or nothing. */
const cases = [
  { name: "3 policies, one Redis", cluster: false, policies: 3, ownKeys: false },
  { name: "1 policy, Cluster", cluster: true, policies: 1, ownKeys: false },
  { name: "3 policies of one key, Cluster", cluster: true, policies: 3, ownKeys: false },
  { name: "2 policies of two keys, Cluster", cluster: true, policies: 2, ownKeys: true },
];
const efforts = {
  full: { rounds: 11, ms: 300, warmUpMs: 1_000, cases },
  quick: { rounds: 5, ms: 100, warmUpMs: 300, cases: cases.slice(0, 3) },
  smoke: { rounds: 3, ms: 200, warmUpMs: 200, cases: cases.slice(0, 1) },
};
const columns = {
  perSecond: "decisions/s",
  clientUs: "client us",
  serverUs: "server us",
  bytes: "bytes",
  p99: "p99 ms",
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { rounds, ms, warmUpMs, cases: compared } = efforts[effort];
  const rows = [];
  const single = await startRedis();
  const cluster = compared.some((each) => each.cluster) ? await startCluster() : undefined;
  const meters = new Map([
    [false, [new RedisMeter(single)]],
    [true, (cluster?.masters ?? []).map((master) => new RedisMeter(master))],
  ]);
  try {
    for (const each of compared) {
      const ports = each.cluster ? (cluster?.masters ?? []).map(({ port }) => port) : [single.port];
      const series = await interleave({
        worker: "redis-load",
        subjects: [
          { name: "ours", decider: "ours" },
          { ...peer, autoPipelining: !each.cluster },
        ],
        options: (subject) => ({
          ...subject,
          ports,
          keys: 10_000,
          quota: { limit: 1_000_000, windowMs: 60_000, policies: each.policies, ownKeys: each.ownKeys },
        }),
        rounds,
        warmUp: (process) => process.call("round", { inFlight: 64, ms: warmUpMs, atLeast: 20_000 }),
        round: async (process) => {
          const { value, cpuUs, bytes } = await metered(meters.get(each.cluster) ?? [], () =>
            process.call("round", { inFlight: 64, ms }),
          );
          const { decisions, denied, perSecond, clientUs, p99 } = value;
          if (denied > 0) throw new Error(`${denied} of ${decisions} were denied where none should be`);
          return { perSecond, clientUs, serverUs: cpuUs / decisions, bytes: bytes / decisions, p99 };
        },
      });
      print(each.name, seriesTable("client", series, columns));
      const figures = (/** @type {string} */ name) => series.get(name)?.["perSecond"] ?? [];
      rows.push(
        compare({
          part: "policies",
          case: each.name,
          unit: columns.perSecond,
          best: "most",
          ours: figures("ours"),
          peers: new Map([[peer.name, figures(peer.name)]]),
        }),
      );
    }
  } finally {
    for (const meter of [...meters.values()].flat()) await meter.close();
    await single.stop();
    await cluster?.stop();
  }
  return rows;
}
