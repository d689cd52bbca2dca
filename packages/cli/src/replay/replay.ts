import type { KeySpec } from "../callers/key-spec.ts";
import type { JudgedRequest, Scenario } from "../judge/judge.ts";
import { isPromise } from "../judge/maybe.ts";
import { BadLines } from "../log/bad-lines.ts";
import { EntryQueue } from "../log/entry-queue.ts";
import { LogFile } from "../log/log-file.ts";
import type { FormatOptions } from "../log/log-format.ts";
import type { LogLine } from "../log/log-line.ts";
import { mergeFiles } from "../log/merge.ts";
import type { CostOf } from "../policy/cost.ts";
import { logView } from "../policy/log-view.ts";
import type { Report } from "../report/report.ts";
import { summarize } from "../stats/summary.ts";
import { Tally } from "../stats/tally.ts";

export interface ReplayOptions {
  readonly files: readonly string[];
  readonly format: FormatOptions;
  readonly scenarios: readonly Scenario[];
  /** The key specifications that the scenarios refer to. */
  readonly keys: readonly KeySpec[];
  /** Which of them names the callers of the report. */
  readonly reportBy: number;
  readonly cost: CostOf;
  /** Whether a line counts at all. */
  readonly wanted: ((line: LogLine) => boolean) | undefined;
  readonly reorderMs: number;
  readonly spread: boolean;
  /** Told of each piece of a file that was read. */
  onRead(bytes: number): void;
}

/** Where a scenario's callers' peaks are looked for when no policy has a fixed window. */
const USUAL_WINDOW = 60_000;

/** Decides every request of the log under every scenario, and sums up what became of them. */
export async function replay(options: ReplayOptions): Promise<Report> {
  const { files, keys, scenarios, spread } = options;
  const badLines = new BadLines();
  const runs = scenarios.map((scenario) => ({ scenario, tally: new Tally(scenario.policies[0]?.window ?? USUAL_WINDOW) }));
  const words = new Int32Array(1 + keys.length);
  const request: JudgedRequest = { time: 0, cost: 1, callers: words.subarray(1), view: undefined };
  const needsView = scenarios.some((scenario) => scenario.needsView);
  let [first, requests, wholeSeconds] = [0, 0, true];

  const written = new Int32Array(words.length);
  function accept(line: LogLine, queue: EntryQueue): void {
    if (options.wanted?.(line) === false) return;
    if (line.time % 1_000 !== 0) wholeSeconds = false;
    written[0] = options.cost(line);
    for (let i = 0; i < keys.length; i++) written[1 + i] = (keys[i] as KeySpec).callerOf(line);
    queue.push(line.time, written, needsView ? logView(line.snapshot()) : undefined);
  }

  function visit({ queue }: LogFile): void | Promise<void> {
    // Files may each have lines that come too late to be put in order among those of the others.
    request.time = Math.max(request.time, queue.headTime());
    request.view = queue.shift(words) as JudgedRequest["view"];
    request.cost = words[0] as number;
    if (requests++ === 0) first = request.time;
    const caller = request.callers[options.reportBy] as number;
    let pending: Promise<void> | undefined;
    for (const { scenario, tally } of runs) {
      const admitted = scenario.judge.decide(request);
      if (!isPromise(admitted)) tally.add(request.time, caller, request.cost, admitted, admitted && scenario.delays ? scenario.judge.answer().delayMs : 0);
      else pending = settle(admitted, tally, caller, pending);
    }
    return pending;
  }

  async function settle(admitted: Promise<boolean>, tally: Tally, caller: number, before: Promise<void> | undefined): Promise<void> {
    await before;
    tally.add(request.time, caller, request.cost, await admitted);
  }

  const opened = files.map((name) => new LogFile(name, { format: options.format, badLines, queue: new EntryQueue(words.length, options.reorderMs, spread), accept, onRead: options.onRead }));
  try {
    await mergeFiles(opened, visit);
  } finally {
    await Promise.all(opened.map((file) => file.close()));
  }

  const { text, callers } = keys[options.reportBy] as KeySpec;
  const total = (what: (file: LogFile) => number): number => opened.reduce((sum, file) => sum + what(file), 0);
  return {
    version: 1,
    kind: "replay",
    source: {
      names: files,
      key: text,
      requests,
      callers: callers.size,
      from: first,
      to: request.time,
      log: {
        lines: total(({ lines }) => lines),
        badLines: badLines.count,
        firstBadLines: badLines.first,
        outOfOrder: total(({ queue }) => queue.outOfOrder),
        late: total(({ queue }) => queue.late),
        latestMs: Math.max(0, ...opened.map(({ queue }) => queue.latest)),
        wholeSeconds: wholeSeconds && requests > 0,
        spread,
      },
    },
    scenarios: runs.map(({ scenario, tally }) => summarize(scenario.label, scenario.policies, tally, callers)),
  };
}
