// Lets a child process of a test run the sources as they are: node run-typescript.cjs FILE.ts ARGUMENTS
const { readFileSync } = require("node:fs");
const { transformSync } = require("@swc/core");

require.extensions[".ts"] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, "utf8"), {
    filename,
    swcrc: false,
    sourceMaps: "inline",
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  // oxlint-disable-next-line no-underscore-dangle -- what Node's own handlers call
  module._compile(code, filename);
};

const [file] = process.argv.splice(2, 1);
require(file);
