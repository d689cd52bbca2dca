import type pc from "picocolors";
import type { ReportSource } from "./report.ts";
import { count, counted, duration, moment } from "./words.ts";

/** What was looked at, and which lines could not be read. */
export function sourceLines(
  { names, key, requests, callers, from, to, log }: ReportSource,
  paint: ReturnType<typeof pc.createColors>,
): string {
  const lines = [
    `${paint.bold(names.join(", "))}: ${counted(requests, "request")} by ${counted(callers, "caller")} (${key})`,
  ];
  if (requests > 0) lines.push(`${moment(from)} to ${moment(to)} (${duration(to - from)})`);
  if (log !== undefined && log.badLines > 0) {
    lines.push(paint.yellow(`${counted(log.badLines, "line")} of ${count(log.lines)} could not be read:`));
    for (const { file, line, reason, text } of log.firstBadLines)
      lines.push(`  ${file}:${line}: ${reason}: ${paint.dim(text)}`);
    if (log.badLines > log.firstBadLines.length)
      lines.push(`  and ${count(log.badLines - log.firstBadLines.length)} more`);
  }
  return lines.join("\n");
}
