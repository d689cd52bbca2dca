import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { environment, root, run } from "./run.mjs";

const report = join(root, ".cache", "jest.json");
/** The acceptance cases are numbered A01 to A67; a test carries the number of the case that it settles in its name. */
const numberOfCases = 67;

/** Runs all tests in one go and counts what ran. Tests that were skipped, or only announced, count as failed. */
export async function runTests({ timeoutMs }) {
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
      ...describeCoverage(passedNames(result)),
    ],
  };
}

/** "6 vectors of gcra.json agree" counts six; a name that speaks of vectors or of a property without a number, one. */
function describeCoverage(names) {
  const cases = new Set(names.flatMap((name) => name.match(/\bA\d\d\b/g) ?? []));
  const all = Array.from({ length: numberOfCases }, (_, index) => `A${String(index + 1).padStart(2, "0")}`);
  const missing = all.filter((number) => !cases.has(number));
  return [
    `vectors     ${sum(names, /\b(?:(\d+) )?vectors?\b/i)}`,
    `properties  ${sum(names, /\b(?:(\d+) )?propert(?:y|ies)\b/i)}`,
    `cases       ${cases.size} of ${numberOfCases}${missing.length > 0 ? `; no test names ${missing.join(" ")}` : ""}`,
  ];
}

function sum(names, pattern) {
  return names.reduce((total, name) => {
    const match = pattern.exec(name);
    return total + (match === null ? 0 : Number(match[1] ?? 1));
  }, 0);
}

function passedNames(result) {
  const assertions = result.testResults.flatMap((file) => file.assertionResults);
  return assertions.filter(({ status }) => status === "passed").map(({ fullName }) => fullName);
}

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return undefined;
  }
}
