// npm run bench                      every benchmark
// npm run bench -- memory --keys=1e6 the named ones; options go to each
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const suffix = ".bench.js";
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(suffix))
  .map((file) => file.slice(0, -suffix.length));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));

for (const name of names.filter((wanted) => !known.includes(wanted))) {
  console.error(`No benchmark is called "${name}"; there are: ${known.join(", ")}`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : known) {
  // A process each, so that none inherits the heap and the compiled code of another.
  const file = `${import.meta.dirname}/${name}${suffix}`;
  const { status } = spawnSync(process.execPath, ["--expose-gc", file, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
