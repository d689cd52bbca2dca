// Builds the package in the current folder: ES modules into dist/esm, CommonJS into dist/cjs.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
for (const [format, type] of [
  ["esm", "module"],
  ["cjs", "commonjs"],
]) {
  execFileSync("tsc", ["-p", `tsconfig.${format}.json`], { stdio: "inherit", shell: process.platform === "win32" });
  writeFileSync(`dist/${format}/package.json`, `{ "type": "${type}" }\n`);
}
