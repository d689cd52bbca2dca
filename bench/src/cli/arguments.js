import { partNames } from "./parts.js";

const usage = `npm run bench                    every part, side by side with the peers
npm run bench -- redis attack    the named parts: ${partNames.join(", ")}
npm run bench -- --quick         every part, in less than three minutes
npm run bench -- --smoke         fails where a ratio is more than twice as bad as the recorded one
npm run bench -- --smoke --record   records the ratios
npm run bench -- --node=newest   on the newest Node, which comes with this workspace`;

/**
 * @param {readonly string[]} given
 * @returns {{ parts: readonly string[], effort: import("./parts.js").Effort, newestNode: boolean, record: boolean }}
 */
export function parseArguments(given) {
  const parts = given.filter((argument) => !argument.startsWith("-"));
  const flags = given.filter((argument) => argument.startsWith("-"));
  const known = ["--quick", "--smoke", "--record", "--node=newest"];
  for (const flag of flags.filter((each) => !known.includes(each))) refuse(`There is no option "${flag}".`);
  for (const part of parts.filter((each) => !partNames.includes(each))) {
    refuse(`No part of the benchmark is called "${part}"; there are: ${partNames.join(", ")}`);
  }
  const effort = flags.includes("--smoke") ? "smoke" : flags.includes("--quick") ? "quick" : "full";
  return { parts, effort, newestNode: flags.includes("--node=newest"), record: flags.includes("--record") };
}

/**
 * @param {string} why
 * @returns {never}
 */
function refuse(why) {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
}
