import type { LogFacts } from "../report/report.ts";
import { BadLines } from "./bad-lines.ts";
import { EntryQueue } from "./entry-queue.ts";
import { LogFile } from "./log-file.ts";
import type { FormatOptions } from "./log-format.ts";
import type { LogLine } from "./log-line.ts";
import { mergeFiles } from "./merge.ts";

/** How a log is read, whatever for. */
export interface LogOptions {
  /** Paths, and `-` for standard input. */
  readonly files: readonly string[];
  readonly format: FormatOptions;
  /** Whether a line counts at all. */
  readonly wanted: ((line: LogLine) => boolean) | undefined;
  readonly reorderMs: number;
  readonly spread: boolean;
  /** Told of each piece of a file that was read. */
  readonly onRead: (bytes: number) => void;
}

/** What is to be known of each request once its line is gone. */
export interface Extract {
  /** How many whole numbers. */
  readonly width: number;
  /** Reads them off a line. */
  readonly fill: (line: LogLine, words: Int32Array) => void;
  /** Whatever else. */
  readonly extra?: (line: LogLine) => unknown;
}

/** Visits one request; `words` is valid during the visit. */
export type Visit = (time: number, words: Int32Array, extra: unknown) => void | Promise<void>;

/** What a whole log was found to be. */
export interface LogSummary {
  readonly requests: number;
  /** Epoch ms of the first and the last request; 0 when there were none. */
  readonly from: number;
  readonly to: number;
  readonly facts: LogFacts;
}

/** Visits the requests of all files in the order of time. */
export async function readLog(options: LogOptions, { width, fill, extra }: Extract, visit: Visit): Promise<LogSummary> {
  const { format, wanted, reorderMs, spread, onRead } = options;
  const badLines = new BadLines();
  const [written, words] = [new Int32Array(width), new Int32Array(width)];
  let [requests, from, to, wholeSeconds] = [0, 0, 0, true];

  function accept(line: LogLine, queue: EntryQueue): void {
    if (wanted?.(line) === false) return;
    if (line.time % 1_000 !== 0) wholeSeconds = false;
    fill(line, written);
    queue.push(line.time, written, extra?.(line));
  }

  function take({ queue }: LogFile): void | Promise<void> {
    // Files may each have lines that come too late to be put in order among those of the others.
    to = Math.max(to, queue.headTime());
    if (requests++ === 0) from = to;
    return visit(to, words, queue.shift(words));
  }

  const files = options.files.map(
    (name) => new LogFile(name, { format, badLines, queue: new EntryQueue(width, reorderMs, spread), accept, onRead }),
  );
  try {
    await mergeFiles(files, take);
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
  const total = (what: (file: LogFile) => number): number => files.reduce((sum, file) => sum + what(file), 0);
  return {
    requests,
    from,
    to,
    facts: {
      lines: total(({ lines }) => lines),
      badLines: badLines.count,
      firstBadLines: badLines.first,
      outOfOrder: total(({ queue }) => queue.outOfOrder),
      late: total(({ queue }) => queue.late),
      latestMs: files.reduce((latest, { queue }) => Math.max(latest, queue.latest), 0),
      wholeSeconds: wholeSeconds && requests > 0,
      spread,
    },
  };
}
