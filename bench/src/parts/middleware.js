import { interleave } from "../measure/rounds.js";
import { compare } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";

export const title = "Middleware alone, on mocked requests, in memory (says little of a real server; see servers)";

/** @type {Record<string, readonly string[]>} */
const frameworks = {
  express: ["ours, memory", "express-rate-limit, memory", "rate-limiter-flexible, memory"],
  koa: ["ours, memory", "koa-ratelimit, memory"],
};
const efforts = {
  full: { rounds: 15, batches: 10, frameworks: ["express", "koa"] },
  quick: { rounds: 7, batches: 2, frameworks: ["koa"] },
  smoke: { rounds: 7, batches: 2, frameworks: ["koa"] },
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { rounds, batches, frameworks: compared } = efforts[effort];
  const rows = [];
  for (const framework of compared) {
    const variants = frameworks[framework] ?? [];
    for (const outcome of ["allowed", "denied"]) {
      const series = await interleave({
        worker: "middleware",
        subjects: variants.map((name) => ({ name })),
        options: ({ name }) => ({
          name,
          framework,
          ...(outcome === "allowed" ? { limit: 1_000_000, windowMs: 60_000 } : { limit: 1, windowMs: 3_600_000 }),
        }),
        rounds,
        warmUp: (process) => process.call("round", { batches: 10 }),
        round: (process) => process.call("round", { batches }),
      });
      print(`${framework}, ${outcome}`, seriesTable("middleware", series, { cpuNs: "CPU ns" }));
      const peers = variants.filter((name) => !name.startsWith("ours"));
      const figures = (/** @type {string} */ name) => series.get(name)?.["cpuNs"] ?? [];
      rows.push(
        compare({
          part: "middleware",
          case: `${framework}, mocked, ${outcome}`,
          unit: "CPU ns a request",
          best: "least",
          ours: figures("ours, memory"),
          peers: new Map(peers.map((name) => [name, figures(name)])),
        }),
      );
    }
  }
  return rows;
}
