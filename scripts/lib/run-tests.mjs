import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { caseNumbers } from "./cases.mjs";
import { environment, root, run } from "./run.mjs";

const report = join(root, ".cache", "jest.json");

/**
 * Runs all tests in one go and counts what ran. Tests that were skipped, or only announced, count as failed. `remarks`
 * are those of other checks on the cases that they settle.
 */
export async function runTests({ timeoutMs, remarks }) {
  rmSync(report, { force: true });
  const { NODE_ENV: _, ...env } = environment();
  const args = ["--ci", "--json", `--outputFile=${report}`, `--maxWorkers=${Math.min(4, availableParallelism())}`];
  const { code } = await run("jest", args, { env, timeoutMs });
  const result = readReport();
  if (result === undefined)
    return { passed: 0, failed: 1, lines: [`tests       no report; jest ended with code ${code}`] };

  const skipped = result.numPendingTests + result.numTodoTests;
  const failedFiles = result.numRuntimeErrorTestSuites;
  const failed = result.numFailedTests + failedFiles + skipped;
  return {
    passed: result.numPassedTests,
    // Jest can fail as a whole, say for want of tests, where no test did.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    lines: [
      `tests       ${result.numPassedTests} passed, ${result.numFailedTests} failed, ${skipped} skipped (not allowed), ` +
        `${failedFiles} files could not run; ${result.numTotalTestSuites} files`,
      ...describeCoverage(passedTests(result), remarks),
    ],
  };
}

/** "the 6 vectors of gcra.json agree" counts six. */
function describeCoverage(tests, remarks) {
  const names = [...tests.map(({ fullName }) => fullName), ...remarks];
  const vectors = names.reduce((total, name) => total + Number(/\b(\d+) vectors?\b/.exec(name)?.[1] ?? 0), 0);
  const properties = tests.filter(
    ({ file, fullName }) => /propert(y|ies)/.test(file) || /\bproperty\b/i.test(fullName),
  );
  const cases = new Set(names.flatMap((name) => name.match(/\bA\d\d\b/g) ?? []));
  const missing = caseNumbers.filter((number) => !cases.has(number));
  return [
    `vectors     ${vectors}`,
    `properties  ${properties.length}`,
    `cases       ${cases.size} of ${caseNumbers.length}${missing.length > 0 ? `; no test names ${missing.join(" ")}` : ""}`,
  ];
}

function passedTests(result) {
  const tests = result.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ status, fullName }) => ({ file: basename(name), status, fullName })),
  );
  return tests.filter(({ status }) => status === "passed");
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return undefined;
  }
}
