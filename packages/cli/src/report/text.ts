import Table from "cli-table3";
import pc from "picocolors";
import type { ScenarioSummary } from "../stats/summary.ts";
import type { Report, ReportSource } from "./report.ts";
import { sourceLines } from "./source-lines.ts";
import { count, counted, duration, share, windowName } from "./words.ts";

type Colors = ReturnType<typeof pc.createColors>;

export interface TextOptions {
  /** How many of the heaviest callers to list. */
  readonly top: number;
  readonly colors: boolean;
}

/** The report for a terminal, or for a file: aligned columns, no lines drawn. */
export function textReport({ source, scenarios }: Report, { top, colors }: TextOptions): string {
  const paint = pc.createColors(colors);
  const parts = [sourceLines(source, paint), scenarioTable(scenarios, paint), ...remarks(source, scenarios)];
  const first = scenarios[0];
  if (top > 0 && first !== undefined && first.heaviest.length > 0)
    parts.push(callerTable(scenarios, first, top, source.key, paint));
  return `${parts.join("\n\n")}\n`;
}

function scenarioTable(scenarios: readonly ScenarioSummary[], paint: Colors): string {
  const window = scenarios.every((each) => each.window === scenarios[0]?.window)
    ? windowName(scenarios[0]?.window ?? 0)
    : "window";
  const rows = scenarios.map((each, index) => [
    `${scenarios.length > 1 ? `${index + 1} ` : ""}${paint.bold(each.label)}`,
    count(each.admitted),
    each.rejected === 0 ? "0" : paint.red(count(each.rejected)),
    share(each.rejected, each.requests),
    count(each.callersRejected),
    share(each.callersRejected, each.callers),
    count(each.longestStreak?.length ?? 0),
    count(each.peakPerSecond.requests),
    count(each.peakPerMinute.requests),
    count(each.got.max),
    count(each.aboveLimit?.callers ?? 0),
  ]);
  const heads = [
    "policy",
    "admitted",
    "rejected",
    "",
    "callers rejected",
    "",
    "longest streak",
    "most in 1 s",
    "in 1 min",
    `of one caller in 1 ${window}`,
    "above limit",
  ];
  return table(heads, rows, paint);
}

function callerTable(
  scenarios: readonly ScenarioSummary[],
  first: ScenarioSummary,
  top: number,
  key: string,
  paint: Colors,
): string {
  const callers = first.heaviest.slice(0, top);
  const rejectedBy = scenarios.map(
    (each) => new Map([...each.heaviest, ...each.mostRejected].map(({ caller, rejected }) => [caller, rejected])),
  );
  const rows = callers.map(({ caller, requests, asked }) => [
    caller,
    count(requests),
    count(asked),
    ...rejectedBy.map((rejected) => count(rejected.get(caller) ?? 0)),
  ]);
  const heads = [
    `heaviest callers (${key})`,
    "requests",
    `most in 1 ${windowName(first.window)}`,
    ...scenarios.map((_, index) => `rejected${scenarios.length > 1 ? ` by ${index + 1}` : ""}`),
  ];
  return table(heads, rows, paint);
}

function remarks({ log }: ReportSource, scenarios: readonly ScenarioSummary[]): string[] {
  const lines: string[] = [];
  if (log !== undefined && log.late > 0) {
    lines.push(
      `${counted(log.late, "line")} came more than --reorder late (up to ${duration(log.latestMs)}) and counted at the newest time before them.`,
    );
  }
  if (log?.wholeSeconds === true && !log.spread && scenarios.some(({ window }) => window <= 10_000)) {
    lines.push(
      "Every stamp is a whole second: requests of one second count as one burst. --spread spreads them over the second.",
    );
  }
  if (scenarios.some(({ peaksExact }) => !peaksExact)) {
    lines.push(
      "One window holds more requests than are remembered: what a caller asked for and got in one window is at least what is told.",
    );
  }
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], paint: Colors): string {
  const made = new Table({
    head: heads.map((head) => paint.dim(head)),
    chars: {
      top: "",
      "top-mid": "",
      "top-left": "",
      "top-right": "",
      bottom: "",
      "bottom-mid": "",
      "bottom-left": "",
      "bottom-right": "",
      left: "",
      "left-mid": "",
      mid: "",
      "mid-mid": "",
      right: "",
      "right-mid": "",
      middle: "  ",
    },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
    colAligns: heads.map((_, index) => (index === 0 ? "left" : "right")),
  });
  made.push(...rows.map((row) => [...row]));
  return made
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
