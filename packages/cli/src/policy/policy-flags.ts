import type { AlgorithmName, Policy } from "@aforo/core";
import { UsageError } from "../usage-error.ts";

/** All of core's algorithms, from the simplest on. */
export const ALGORITHMS: readonly AlgorithmName[] = [
  "fixed-window",
  "sliding-window-log",
  "sliding-window-counter",
  "token-bucket",
  "gcra",
  "leaky-bucket",
];

/** What the command line says of policies. */
export interface PolicyFlags {
  readonly limit: readonly string[];
  readonly algorithm: readonly string[];
  readonly burst: number | undefined;
  readonly delayAfter: number | undefined;
}

/** One policy to be tried by itself. */
export interface FlaggedPolicy {
  readonly label: string;
  readonly policy: Policy;
}

/**
 * Each limit with each algorithm. `--burst` and `--delay-after` go to those algorithms that know them; where none
 * does, core's own error says so.
 *
 * @throws {@link UsageError} for an algorithm that does not exist.
 */
export function policiesOf({ limit, algorithm, burst, delayAfter }: PolicyFlags): FlaggedPolicy[] {
  const names = algorithm.length === 0 ? ["sliding-window-counter"] : algorithm.flatMap((text) => text.split(","));
  const algorithms = names.flatMap((name) => (name === "all" ? ALGORITHMS : [known(name)]));
  return limit.flatMap((rate) =>
    [...new Set(algorithms)].map((each) => {
      const bursts = burst !== undefined && (isBucket(each) || algorithms.length === 1);
      const delays = delayAfter !== undefined && (each === "leaky-bucket" || algorithms.length === 1);
      const policy: Policy = {
        name: "replay",
        algorithm: each,
        limit: rate,
        ...(bursts ? { burst } : {}),
        ...(delays ? { delayAfter } : {}),
      };
      return {
        label: `${each} ${rate}${bursts ? ` burst ${burst}` : ""}${delays ? ` delay after ${delayAfter}` : ""}`,
        policy,
      };
    }),
  );
}

function isBucket(algorithm: AlgorithmName): boolean {
  return algorithm === "token-bucket" || algorithm === "gcra" || algorithm === "leaky-bucket";
}

function known(name: string): AlgorithmName {
  const found = ALGORITHMS.find((algorithm) => algorithm === name.trim());
  if (found !== undefined) return found;
  throw new UsageError(`"--algorithm" must be one of ${ALGORITHMS.join(", ")} or all, got ${JSON.stringify(name)}`);
}
