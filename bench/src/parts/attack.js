import { compare, figure } from "../report/comparison.js";
import { interleave } from "../measure/rounds.js";
import { RedisMeter, metered, startRedis } from "../measure/redis.js";
import { median } from "../measure/statistics.js";
import { seriesTable } from "../report/series.js";

/** An attack: 19 of 20 requests come from 100 keys that are over their limit, 64 in flight. */
export const title = "Attack: 95 % of requests from 100 keys over their limit, 64 in flight, on Redis";

const abusers = 100;
const subjects = [
  { name: "ours", decider: "ours" },
  { name: "rate-limiter-flexible, inMemoryBlock", decider: "rate-limiter-flexible, inMemoryBlock" },
  { name: "rate-limiter-flexible", decider: "rate-limiter-flexible" },
  { name: "rate-limit-redis, pipelined", decider: "rate-limit-redis", autoPipelining: true },
];
const efforts = {
  full: { rounds: 7, ms: 1_000, siegeMs: 3_000, subjects: 4 },
  quick: { rounds: 7, ms: 120, siegeMs: 1_000, subjects: 2 },
  smoke: { rounds: 3, ms: 300, siegeMs: 1_000, subjects: 2 },
};
const columns = {
  perSecond: "requests/s",
  clientUs: "client us",
  serverUs: "server us",
  bytes: "bytes",
  scripts: "scripts/1000",
  deniedShare: "denied",
  p99: "p99 ms",
  perKeyAndSecond: "scripts per denied key and second",
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { rounds, ms, siegeMs, subjects: count } = efforts[effort];
  const server = await startRedis();
  const meter = new RedisMeter(server);
  try {
    const series = await interleave({
      worker: "redis-load",
      subjects: subjects.slice(0, count),
      options: (subject) => ({
        ...subject,
        ports: [server.port],
        abusers,
        keys: 10_000,
        quota: { limit: 100, windowMs: 60_000 },
      }),
      rounds,
      warmUp: (process) => process.call("round", { inFlight: 64, ms: 300, atLeast: 15_000, onlyAbusers: true }),
      round: async (process, _, round) => ({
        ...(await attack(process, meter, ms)),
        // Every key is denied here: whatever reaches Redis is on account of denied requests.
        perKeyAndSecond: round === 0 ? await siege(process, meter, siegeMs) : NaN,
      }),
    });
    for (const figures of series.values()) figures["perKeyAndSecond"]?.splice(1);
    print("", seriesTable("client", series, columns));
    const of = (/** @type {string} */ name, /** @type {string} */ what) => series.get(name)?.[what] ?? [];
    const peers = subjects.slice(1, count).map(({ name }) => name);
    return [
      compare({
        part: "attack",
        case: `95 % from ${abusers} denied keys`,
        unit: columns.perSecond,
        budget: ">= 4",
        best: "most",
        ours: of("ours", "perSecond"),
        peers: new Map(peers.map((name) => [name, of(name, "perSecond")])),
      }),
      figure({
        part: "attack",
        case: "only denied keys",
        unit: "script calls per key and second",
        ours: median(of("ours", "perKeyAndSecond")),
        budget: "<= 1",
      }),
    ];
  } finally {
    await meter.close();
    await server.stop();
  }
}

/**
 * @param {import("../measure/subject-process.js").SubjectProcess} process
 * @param {RedisMeter} meter
 * @param {number} ms
 */
async function attack(process, meter, ms) {
  const { value, cpuUs, bytes, scripts } = await metered([meter], () => process.call("round", { inFlight: 64, ms }));
  const { decisions, denied, perSecond, clientUs, p99 } = value;
  if (denied < decisions * 0.5) throw new Error("the attackers were let in");
  return {
    perSecond,
    clientUs,
    p99,
    serverUs: cpuUs / decisions,
    bytes: bytes / decisions,
    scripts: (scripts * 1000) / decisions,
    deniedShare: denied / decisions,
  };
}

/**
 * @param {import("../measure/subject-process.js").SubjectProcess} process
 * @param {RedisMeter} meter
 * @param {number} ms
 */
async function siege(process, meter, ms) {
  const { value, scripts } = await metered([meter], () =>
    process.call("round", { inFlight: 64, ms, onlyAbusers: true }),
  );
  return scripts / abusers / value.seconds;
}
