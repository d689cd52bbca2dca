// Builds the package in the current folder: ES modules into dist/esm, CommonJS into dist/cjs.
import { rmSync, writeFileSync } from "node:fs";
import { must } from "./lib/run.mjs";

const cwd = process.cwd();
const formats = { esm: "module", cjs: "commonjs" };

rmSync("dist", { recursive: true, force: true });
for (const [format, type] of Object.entries(formats)) {
  await must("tsc", ["-p", `tsconfig.${format}.json`], { cwd });
  writeFileSync(`dist/${format}/package.json`, `{ "type": "${type}" }\n`);
}
