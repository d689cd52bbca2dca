import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../../measured.json", import.meta.url);

/**
 * The rows that were written into the page, so that parts can be measured one after the other.
 * @typedef {{ effort: string, machine: string, parts: Record<string, import("./comparison.js").Comparison[]> }} Kept
 */

/**
 * Keeps the rows of these parts in the place of earlier ones of the same Node; those of another effort or machine go.
 * @param {string} node
 * @param {{ effort: string, machine: string, parts: ReadonlyMap<string, import("./comparison.js").Comparison[]> }} measured
 * @returns {Kept} with what was kept before
 */
export function keep(node, { effort, machine, parts }) {
  const all = /** @type {Record<string, Kept>} */ (read());
  const before = all[node];
  const same = before !== undefined && before.effort === effort && before.machine === machine;
  const kept = { effort, machine, parts: { ...(same ? before.parts : {}), ...Object.fromEntries(parts) } };
  writeFileSync(file, `${JSON.stringify({ ...all, [node]: kept }, spelt, 2)}\n`);
  return kept;
}

function read() {
  try {
    return JSON.parse(readFileSync(file, "utf8"), (_, value) => (notFinite.has(value) ? Number(value) : value));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return {};
    throw error;
  }
}

/** JSON has no such numbers. */
const notFinite = new Set(["NaN", "Infinity", "-Infinity"]);

/**
 * @param {string} _
 * @param {unknown} value
 */
function spelt(_, value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
