import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AlgorithmName } from "@aforo/core";

interface Poisson {
  readonly arrivalsMs: readonly number[];
  readonly results: Readonly<
    Record<
      string,
      {
        readonly policy: {
          readonly algorithm: AlgorithmName;
          readonly limit: number;
          readonly window: number;
          readonly burst?: number;
        };
        readonly allowed: number;
        readonly rejected: number;
      }
    >
  >;
}

/** A published experiment: arrivals, and how many of them each algorithm admits. */
export const vector: Poisson = JSON.parse(
  readFileSync(join(__dirname, "../../../core/test/vectors/poisson-6rps-30s.json"), "utf8"),
) as Poisson;
