import type { Fault } from "./log-line.ts";

/** A line that is no request. */
export interface BadLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly reason: Fault;
  /** Its beginning. */
  readonly text: string;
}

const SHOWN = 5;

/** Counts lines that could not be read, and keeps the first few. */
export class BadLines {
  readonly first: BadLine[] = [];
  count = 0;

  add(file: string, line: number, text: string, reason: Fault): void {
    this.count += 1;
    if (this.first.length >= SHOWN) return;
    // Control characters could move the cursor of a terminal that shows them.
    // oxlint-disable-next-line no-control-regex
    this.first.push({ file, line, reason, text: text.slice(0, 100).replace(/[\u0000-\u001F\u007F-\u009F]/g, "?") });
  }
}
