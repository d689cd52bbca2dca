import { interleave } from "../measure/rounds.js";
import { compare } from "../report/comparison.js";
import { seriesTable } from "../report/series.js";
import { addressReaders } from "../subjects/address.js";

export const title = "From an address to a key";

const efforts = {
  full: { rounds: 9, batches: 200, spellings: ["IPv4", "mapped IPv4", "IPv6"] },
  quick: { rounds: 3, batches: 40, spellings: ["IPv4", "mapped IPv4", "IPv6"] },
  smoke: { rounds: 3, batches: 30, spellings: ["IPv6"] },
};

/** @param {import("../cli/parts.js").PartContext} context */
export async function run({ effort, print }) {
  const { rounds, batches, spellings } = efforts[effort];
  const rows = [];
  for (const spelling of spellings) {
    const series = await interleave({
      worker: "address",
      subjects: Object.keys(addressReaders).map((name) => ({ name })),
      options: ({ name }) => ({ name, spelling }),
      rounds,
      warmUp: (process) => process.call("round", { batches: 100 }),
      round: (process) => process.call("round", { batches }),
    });
    print(spelling, seriesTable("reader", series, { cpuNs: "CPU ns" }));
    const figures = (/** @type {string} */ name) => series.get(name)?.["cpuNs"] ?? [];
    const compared = compare({
      part: "address",
      case: spelling,
      unit: "CPU ns",
      best: "least",
      ours: figures("ours"),
      peers: new Map(
        Object.keys(addressReaders)
          .slice(1)
          .map((name) => [name, figures(name)]),
      ),
    });
    rows.push({ ...compared, budget: "<= 200", bounded: compared.ours });
  }
  return rows;
}
