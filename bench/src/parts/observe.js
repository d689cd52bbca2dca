import { interleave } from "../measure/rounds.js";
import { compare } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";

export const title = "Being watched: decisions in memory while nobody listens, and with each kind of listener";

const quiet = "nobody listens";
const watched = [
  "onDecision, a sample of 1 %",
  "metrics of @aforo/otel",
  "onEvent, for keys near their limit",
  "onDecision, every denial and 1 % of the rest",
  "onDecision, all",
  "a subscriber of aforo:decision",
  "metrics without distinct keys",
];
const efforts = {
  full: { rounds: 11, batches: 200, watched },
  quick: { rounds: 5, batches: 60, watched: watched.slice(0, 2) },
  smoke: { rounds: 5, batches: 60, watched: watched.slice(0, 1) },
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const plan = efforts[effort];
  const series = await interleave({
    worker: "observed",
    subjects: [quiet, ...plan.watched].map((name) => ({ name })),
    options: ({ name }) => ({ name }),
    rounds: plan.rounds,
    warmUp: (process) => process.call("round", { batches: 200 }),
    round: (process) => process.call("round", { batches: plan.batches }),
  });
  print("", seriesTable("what listens", series, { cpuNs: "CPU ns" }));
  const figures = (/** @type {string} */ name) => series.get(name)?.["cpuNs"] ?? [];
  return plan.watched.map((name) =>
    compare({
      part: "observe",
      case: name,
      unit: "CPU ns a decision",
      best: "least",
      ours: figures(name),
      peers: new Map([[`ours, ${quiet}`, figures(quiet)]]),
    }),
  );
}
