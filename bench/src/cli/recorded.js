import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../../recorded.json", import.meta.url);
/** How many times worse than recorded a ratio may be: machines differ, and are busy. */
const tolerance = 2;

/** The parts whose ratios hardly depend on the machine. */
export const smokeParts = ["memory", "middleware", "redis", "address"];

/**
 * Keeps the ratios of these rows for later runs to be compared with.
 * @param {readonly import("../report/comparison.js").Comparison[]} rows
 */
export function record(rows) {
  const ratios = rows.map((row) => [nameOf(row), Number(row.ratio.toPrecision(2))]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(ratios), undefined, 2)}\n`);
}

/**
 * The rows that are far worse than they were, in words.
 * @param {readonly import("../report/comparison.js").Comparison[]} rows
 */
export function regressions(rows) {
  const recorded = JSON.parse(readFileSync(file, "utf8"));
  return rows.flatMap((row) => {
    const before = recorded[nameOf(row)];
    if (before === undefined) return [`${nameOf(row)}: nothing recorded; run with --smoke --record`];
    const worse = row.best === "least" ? row.ratio / before : before / row.ratio;
    if (worse <= tolerance) return [];
    return [
      `${nameOf(row)}: ratio ${row.ratio.toPrecision(2)}, ${worse.toFixed(1)} times worse than the recorded ${before}`,
    ];
  });
}

/** @param {import("../report/comparison.js").Comparison} row */
function nameOf(row) {
  return `${row.part}, ${row.case}, ${row.unit}`;
}
