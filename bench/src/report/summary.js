import { isMet } from "./comparison.js";
import { readable, table } from "./table.js";

/**
 * The one table: every case of every part.
 * @param {readonly import("./comparison.js").Comparison[]} rows
 */
export function summary(rows) {
  const missed = rows.filter((row) => isMet(row) === false);
  const promised = rows.filter((row) => isMet(row) !== undefined);
  return [
    table(
      ["part", "case", "unit", "ours", "best peer", "", "ratio", "budget", "met"],
      rows.map((row) => [
        row.part,
        row.case,
        row.unit,
        row.ours,
        row.peer,
        row.peerName,
        Number.isNaN(row.ratio) ? "" : ratioText(row.ratio),
        row.bounded === undefined || row.budget === "" ? row.budget : `${row.budget} (ours)`,
        { true: "yes", false: "NO", undefined: "" }[String(isMet(row))] ?? "",
      ]),
    ),
    "",
    "ratio = ours / the best peer's, median of the ratios of all rounds. Peers that forget keys are not the best peer.",
    `${promised.length - missed.length} of ${promised.length} budgets met${missed.map(missText).join("")}`,
  ].join("\n");
}

/** @param {number} ratio */
function ratioText(ratio) {
  return ratio.toFixed(ratio < 0.1 ? 3 : 2);
}

/** @param {import("./comparison.js").Comparison} row */
function missText({ part, case: name, unit, ratio, bounded = ratio, budget }) {
  return `\n  missed: ${part}, ${name} (${unit}): ${readable(bounded)} where ${budget} was promised`;
}
