import { partNames } from "./parts.js";

const newest = "--node=newest";
const usage = `npm run bench                    every part, side by side with the peers
npm run bench -- redis attack    the named parts: ${partNames.join(", ")}
npm run bench -- --quick         every part, in less than three minutes
npm run bench -- --smoke         fails where a ratio is more than twice as bad as the recorded one
npm run bench -- --smoke --record   records the ratios
npm run bench -- --write         puts the tables into docs/performance.md
npm run bench -- --node=newest   on the newest Node, which comes with this workspace`;

/**
 * @param {readonly string[]} given
 * @returns {{ parts: readonly string[], effort: import("./parts.js").Effort, newestNode: boolean, recording: boolean, writing: boolean, rest: readonly string[] }}
 */
export function parseArguments(given) {
  const parts = given.filter((argument) => !argument.startsWith("-"));
  const flags = given.filter((argument) => argument.startsWith("-"));
  const known = new Set(["--help", "--quick", "--smoke", "--record", "--write", newest]);
  if (flags.includes("--help")) end(0, usage);
  for (const flag of flags.filter((each) => !known.has(each))) refuse(`There is no option "${flag}".`);
  for (const part of parts.filter((each) => !partNames.includes(each))) {
    refuse(`No part of the benchmark is called "${part}"; there are: ${partNames.join(", ")}`);
  }
  const effort = flags.includes("--smoke") ? "smoke" : flags.includes("--quick") ? "quick" : "full";
  return {
    parts,
    effort,
    newestNode: flags.includes(newest),
    recording: flags.includes("--record"),
    writing: flags.includes("--write"),
    // For the process that does it in place of this one.
    rest: given.filter((argument) => argument !== newest),
  };
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  end(2, `${why}\n\n${usage}`);
}

/**
 * @param {number} code
 * @param {string} text
 * @returns {never}
 */
function end(code, text) {
  console[code === 0 ? "log" : "error"](text);
  process.exit(code);
}
