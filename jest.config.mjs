const project = {
  displayName: "aforo",
  testMatch: ["<rootDir>/{packages,examples,tools}/*/test/**/*.test.ts"],
  testEnvironment: "node",
  testEnvironmentOptions: { customExportConditions: ["@aforo/source", "node", "node-addons"] },
  transform: { "\\.[jt]s$": ["@swc/jest", swcOptions()] },
  // Nest 12 comes as ES modules only, which Jest can't load from CommonJS before Node 24.9.
  transformIgnorePatterns: ["^(?!.*/node_modules/@nestjs/).*/node_modules/"],
  moduleFileExtensions: ["ts", "js", "mjs", "cjs", "json", "node"],
  modulePathIgnorePatterns: ["<rootDir>/.cache/", "<rootDir>/packages/[^/]+/dist/"],
};

/** The tests of @aforo/nestjs once more, on the previous Nest. */
const nest11 = {
  ...project,
  displayName: "nest 11",
  testMatch: ["<rootDir>/packages/nestjs/test/**/*.test.ts"],
  moduleNameMapper: { "^@nestjs/(.*)$": "<rootDir>/tools/nest11/node_modules/@nestjs/$1" },
};

/** One run tests every package, each against the sources of the others. */
export default {
  projects: [project, nest11],
  // Starting a Redis Cluster takes seconds on a busy machine; tests themselves must not wait. Jest reads it here only.
  testTimeout: 120_000,
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
