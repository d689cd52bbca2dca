// Who may import whom. Inside core:
//   domain <- algorithms <- memory, redis <- limiter <- http <- the entry points
// with identity and observe beside the limiter. Adapters see core through its entry points only.

const core = "^packages/core/src/";
const mayImport = {
  domain: [],
  algorithms: ["domain"],
  memory: ["domain", "algorithms"],
  redis: ["domain", "algorithms"],
  observe: ["domain"],
  identity: ["domain", "observe"],
  limiter: ["domain", "algorithms", "memory", "observe"],
  http: ["domain", "algorithms", "memory", "observe", "identity", "limiter"],
  testing: ["domain", "algorithms"],
};

const layers = Object.entries(mayImport).map(([layer, lower]) => ({
  name: `core-${layer}`,
  comment: `core/src/${layer} may import ${lower.length === 0 ? "nothing else of core" : lower.join(", ")}`,
  severity: "error",
  from: { path: `${core}${layer}/` },
  to: { path: core, pathNot: `${core}(${[layer, ...lower].join("|")})/` },
}));

export default {
  forbidden: [
    ...layers,
    {
      name: "core-without-redis",
      comment: "whoever imports @aforo/core must not load the Redis store with it",
      severity: "error",
      from: { path: `${core}(index|adapter)\\.ts$` },
      to: { path: `${core}redis/` },
    },
    {
      name: "core-no-runtime-dependency",
      comment: "core runs on Node alone; a client is handed to it, and described by the few commands that are used",
      severity: "error",
      from: { path: core, pathNot: `${core}testing/` },
      to: { pathNot: [core], dependencyTypesNot: ["core"] },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "packages-meet-at-entry-points",
      comment: "a package reaches another by its name, never by a path into it",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/",
        pathNot: ["^packages/$1/", "^packages/[^/]+/src/(index|adapter|(redis|testing)/index)\\.ts$"],
      },
    },
    {
      name: "sources-know-no-tests",
      severity: "error",
      from: { path: "^packages/(?!testkit/)[^/]+/src/" },
      to: { path: "(^packages/testkit/|/test/|^bench/|^examples/)" },
    },
    {
      name: "sources-use-what-users-get",
      comment: "what a source imports, if only a type, must be a dependency or a peer: declarations are published too",
      severity: "error",
      from: { path: "^packages/(?!testkit/)[^/]+/src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"], dependencyTypesNot: ["npm-peer"] },
    },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      // What is built may not be there yet.
      to: { couldNotResolve: true, pathNot: "/dist/" },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages/[^/]+/dist|\\.cache)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@aforo/source", "import", "require", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".d.ts"],
    },
  },
};
