// Puts the Lua scripts of src/redis into one TypeScript module, so that nothing reads files at run time.
// `node scripts/generate-lua.mjs` writes it; `--check` only says whether it is current.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const directory = fileURLToPath(new URL("../src/redis/", import.meta.url));
const target = join(directory, "scripts.generated.ts");
/** The files that are sent as they are, once their includes are in place. */
const entries = [
  "batch",
  "consume-bucket",
  "consume-fixed-window",
  "consume-gcra",
  "consume-sliding-window-counter",
  "consume-sliding-window-log",
];

const generated = [
  "// Written by scripts/generate-lua.mjs from the .lua files beside it; do not edit.",
  'import type { Script } from "./script.ts";',
  ...entries.map(moduleOf),
].join("\n");

if (!process.argv.includes("--check")) {
  writeFileSync(target, generated);
} else if (read(target) !== generated) {
  console.error("src/redis/scripts.generated.ts is not current; run: node packages/core/scripts/generate-lua.mjs");
  process.exitCode = 1;
}

function moduleOf(name) {
  const lua = assemble(`${name}.lua`);
  const sha1 = createHash("sha1").update(lua).digest("hex");
  const constant = `${name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())}Script`;
  return `\nexport const ${constant}: Script = {\n  sha1: "${sha1}",\n  lua: \`${lua}\`,\n};\n`;
}

/** Takes includes in, and leaves comments and indentation out: they would travel at each restart of the server. */
function assemble(file) {
  return read(join(directory, file))
    .split("\n")
    .map((line) => line.trim())
    .flatMap((line) => {
      const include = /^-- @include (\S+)$/.exec(line);
      if (include !== null) return [assemble(include[1])];
      return line === "" || line.startsWith("--") ? [] : [line];
    })
    .join("\n");
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
