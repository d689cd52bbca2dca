import { median, ratioByRound } from "../measure/statistics.js";

/**
 * One row of the table at the end: a figure of ours, the same of the best peer, and what was promised of their ratio.
 *
 * @typedef {object} Comparison
 * @property {string} part
 * @property {string} case
 * @property {string} unit
 * @property {number} ours
 * @property {number} peer NaN where the budget is a figure by itself
 * @property {string} peerName
 * @property {"least" | "most"} best which figure is the best one
 * @property {number} ratio ours by the peer's; NaN without a peer
 * @property {number} [bounded] what the budget bounds, where that is not the ratio
 * @property {string} budget such as "<= 0.25", ">= 2.5"; empty where nothing was promised
 */

/**
 * Compares ours with the best of the peers, round by round.
 *
 * @param {object} plan
 * @param {string} plan.part
 * @param {string} plan.case
 * @param {string} plan.unit
 * @param {string} [plan.budget]
 * @param {readonly number[]} plan.ours a figure of each round
 * @param {ReadonlyMap<string, readonly number[]>} plan.peers
 * @param {"least" | "most"} plan.best which figure is the best one
 * @returns {Comparison}
 */
export function compare({ part, case: name, unit, budget = "", ours, peers, best }) {
  const sign = best === "least" ? 1 : -1;
  const ranked = [...peers].sort(([, a], [, b]) => sign * (median(a) - median(b)));
  const [peerName, theirs] = ranked[0] ?? ["none", []];
  return {
    part,
    case: name,
    unit,
    best,
    ours: median(ours),
    peer: median(theirs),
    peerName,
    ratio: ratioByRound(ours, theirs),
    budget,
  };
}

/**
 * A figure that was promised by itself.
 * @param {Pick<Comparison, "part" | "case" | "unit" | "ours" | "budget"> & Partial<Comparison>} row
 * @returns {Comparison}
 */
export function figure(row) {
  return { peer: NaN, peerName: "", ratio: NaN, bounded: row.ours, best: "least", ...row };
}

/**
 * Whether a row keeps its promise; undefined where there is none.
 * @param {Comparison} row
 */
export function isMet({ ratio, bounded = ratio, budget }) {
  const [, sign, bound] = /^(<=|>=|<) ([\d.]+)$/.exec(budget) ?? [];
  if (bound === undefined) return undefined;
  if (sign === ">=") return bounded >= Number(bound);
  return sign === "<" ? bounded < Number(bound) : bounded <= Number(bound);
}
