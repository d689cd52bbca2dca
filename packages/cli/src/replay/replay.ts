import type { RequestView } from "@aforo/core/adapter";
import type { KeySpec } from "../callers/key-spec.ts";
import type { JudgedRequest, Scenario } from "../judge/judge.ts";
import { isPromise } from "../judge/maybe.ts";
import type { LogLine } from "../log/log-line.ts";
import { readLog, type LogOptions } from "../log/read-log.ts";
import type { CostOf } from "../policy/cost.ts";
import { logView } from "../policy/log-view.ts";
import type { Report } from "../report/report.ts";
import { summarize } from "../stats/summary.ts";
import { Tally } from "../stats/tally.ts";

export interface ReplayOptions {
  readonly log: LogOptions;
  readonly scenarios: readonly Scenario[];
  /** The key specifications that the scenarios refer to. */
  readonly keys: readonly KeySpec[];
  /** Which of them names the callers of the report. */
  readonly reportBy: number;
  readonly cost: CostOf;
}

/** Where a scenario's callers' peaks are looked for when no policy has a fixed window. */
const USUAL_WINDOW = 60_000;

/** Decides every request of the log under every scenario, and sums up what became of them. */
export async function replay({ log, scenarios, keys, reportBy, cost }: ReplayOptions): Promise<Report> {
  const runs = scenarios.map((scenario) => ({
    ...scenario,
    tally: new Tally(scenario.policies[0]?.window ?? USUAL_WINDOW),
  }));
  const request: JudgedRequest = { time: 0, cost: 1, callers: new Int32Array(keys.length), view: undefined };

  const extract = {
    width: 1 + keys.length,
    fill(line: LogLine, words: Int32Array): void {
      words[0] = cost(line);
      for (let i = 0; i < keys.length; i++) words[1 + i] = (keys[i] as KeySpec).callerOf(line);
    },
    ...(scenarios.some(({ needsView }) => needsView) ? { extra: (line: LogLine) => logView(line.snapshot()) } : {}),
  };

  function visit(time: number, words: Int32Array, view: unknown): void | Promise<void> {
    request.time = time;
    request.cost = words[0] as number;
    request.view = view as RequestView | undefined;
    for (let i = 0; i < keys.length; i++) request.callers[i] = words[1 + i] as number;
    const caller = request.callers[reportBy] as number;
    let pending: Promise<void> | undefined;
    for (const { judge, tally, delays } of runs) {
      const admitted = judge.decide(request);
      if (!isPromise(admitted))
        tally.add(time, caller, request.cost, admitted, admitted && delays ? judge.answer().delayMs : 0);
      else pending = after(pending, admitted, (settled) => tally.add(time, caller, request.cost, settled));
    }
    return pending;
  }

  const { requests, from, to, facts } = await readLog(log, extract, visit);
  const { text, callers } = keys[reportBy] as KeySpec;
  return {
    version: 1,
    kind: "replay",
    source: { names: log.files, key: text, requests, callers: callers.size, from, to, log: facts },
    scenarios: runs.map(({ label, policies, tally }) => summarize(label, policies, tally, callers)),
  };
}

async function after(
  before: Promise<void> | undefined,
  admitted: Promise<boolean>,
  then: (admitted: boolean) => void,
): Promise<void> {
  const [settled] = await Promise.all([admitted, before]);
  then(settled);
}
