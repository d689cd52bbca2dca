import { loadPart } from "./parts.js";

/**
 * What parts measured.
 * @typedef {object} Measured
 * @property {import("../report/comparison.js").Comparison[]} rows
 * @property {Map<string, string>} printed the tables of each part that could be measured
 * @property {string[]} failed the parts that could not be measured
 */

/**
 * Runs parts one after the other, and prints their tables as they come.
 * @param {readonly string[]} names
 * @param {import("./parts.js").Effort} effort
 * @returns {Promise<Measured>}
 */
export async function measure(names, effort) {
  /** @type {Measured} */
  const measured = { rows: [], printed: new Map(), failed: [] };
  for (const name of names) {
    const { title, run } = await loadPart(name);
    const start = performance.now();
    console.log(`\n## ${name}: ${title}\n`);
    /** @type {string[]} */
    const tables = [];
    const print = (/** @type {string} */ caption, /** @type {string} */ text) => {
      tables.push(caption === "" ? text : `${caption}\n${text}`);
      console.log(`${tables.at(-1)}\n`);
    };
    try {
      measured.rows.push(...(await run({ effort, print })));
      measured.printed.set(name, tables.join("\n\n"));
    } catch (error) {
      // The other parts can be measured all the same.
      measured.failed.push(name);
      console.error(error);
    }
    console.log(`(${seconds(start)})`);
  }
  return measured;
}

/** @param {number} from */
export function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(0)} s`;
}
