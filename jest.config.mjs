/** One run tests every package, each against the sources of the others. */
export default {
  testMatch: ["<rootDir>/{packages,examples}/*/test/**/*.test.ts"],
  testEnvironment: "node",
  testEnvironmentOptions: { customExportConditions: ["@aforo/source", "node", "node-addons"] },
  transform: { "\\.[cm]?tsx?$": ["@swc/jest", swcOptions()] },
  moduleFileExtensions: ["ts", "js", "mjs", "cjs", "json", "node"],
  modulePathIgnorePatterns: ["<rootDir>/\\.cache/", "/dist/"],
};

function swcOptions() {
  return {
    swcrc: false,
    sourceMaps: "inline",
    jsc: {
      target: "es2022",
      parser: { syntax: "typescript", decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
  };
}
