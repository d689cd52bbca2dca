/**
 * How much to measure: everything, in less than three minutes, or only what shows gross regressions.
 * @typedef {"full" | "quick" | "smoke"} Effort
 */

/**
 * @typedef {object} PartContext
 * @property {Effort} effort
 * @property {(caption: string, table: string) => void} print shows a table of one case
 */

/**
 * @typedef {object} Part
 * @property {string} title
 * @property {(context: PartContext) => Promise<import("../report/comparison.js").Comparison[]>} run
 */

/** In the order in which they run. Each is a file of `parts/`. */
export const partNames = [
  "memory",
  "footprint",
  "middleware",
  "servers",
  "redis",
  "attack",
  "policies",
  "growth",
  "address",
  "overload",
  "observe",
  "profile",
];

/** @param {string} name */
export async function loadPart(name) {
  return /** @type {Promise<Part>} */ (import(`../parts/${name}.js`));
}
