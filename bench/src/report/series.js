import { median } from "../measure/statistics.js";
import { table } from "./table.js";

/**
 * All subjects of one case, with the medians of what was measured.
 * @param {string} what the subjects are
 * @param {ReadonlyMap<string, Record<string, readonly number[]>>} series
 * @param {Readonly<Record<string, string>>} columns titles by name of the figure
 */
export function seriesTable(what, series, columns) {
  return table(
    [what, ...Object.values(columns)],
    [...series].map(([name, figures]) => [
      name,
      ...Object.keys(columns).map((column) => median(figures[column] ?? [])),
    ]),
  );
}
