import type { BadLine } from "../log/bad-lines.ts";
import type { ScenarioSummary } from "../stats/summary.ts";

/** Everything a run found out: what `--json` prints, and what the other reports are made from. */
export interface Report {
  /** Changes when a field changes its meaning or goes. */
  readonly version: 1;
  readonly kind: "replay" | "simulate";
  readonly source: ReportSource;
  readonly scenarios: readonly ReportScenario[];
}

interface ReportScenario extends ScenarioSummary {
  /** Made-up traffic: what became of each kind of it. */
  readonly traffic?: readonly TrafficSummary[];
}

export interface TrafficSummary {
  readonly name: string;
  readonly requests: number;
  readonly admitted: number;
}

/** Where the requests came from. */
export interface ReportSource {
  /** Names of the files, or the made-up traffic in words. */
  readonly names: readonly string[];
  /** Whom the callers are counted by. */
  readonly key: string;
  readonly requests: number;
  readonly callers: number;
  /** Epoch ms of the first and the last request; 0 when there were none. */
  readonly from: number;
  readonly to: number;
  readonly log?: LogFacts;
}

/** What was noticed while reading a log. */
export interface LogFacts {
  readonly lines: number;
  readonly badLines: number;
  readonly firstBadLines: readonly BadLine[];
  /** Lines with a time before that of a line above. */
  readonly outOfOrder: number;
  /** Of these, the lines that came later than could be put right, and the most that one was late, in ms. */
  readonly late: number;
  readonly latestMs: number;
  /** Every stamp is a whole second, so bursts within a second cannot be told from one another. */
  readonly wholeSeconds: boolean;
  readonly spread: boolean;
}
