import type { LogFile } from "./log-file.ts";

/** Hands the control back to the event loop this often, for the progress bar and signals. */
const TURN = 20_000;

/**
 * Visits the requests of all files in the order of time: parts of one log, in whatever order they were
 * named, and logs of several servers alike. All are open from the start, each with a block in memory.
 */
export async function mergeFiles(
  files: readonly LogFile[],
  visit: (file: LogFile) => void | Promise<void>,
): Promise<void> {
  const waiting: { file: LogFile; time: number }[] = [];
  for (const file of files) {
    const time = await file.next();
    if (time !== undefined) waiting.push({ file, time });
  }
  waiting.sort((a, b) => b.time - a.time);

  while (waiting.length > 0) {
    const { file } = waiting.pop() as { file: LogFile; time: number };
    const until = waiting.at(-1)?.time ?? Infinity;
    const time = await drainUntil(file, until, visit);
    if (time === undefined) continue;
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1] as { time: number }).time <= time) at--;
    waiting.splice(at, 0, { file, time });
  }
}

/** Visits the file's requests up to a time; returns the time of the next. */
async function drainUntil(
  file: LogFile,
  until: number,
  visit: (file: LogFile) => void | Promise<void>,
): Promise<number | undefined> {
  for (;;) {
    for (let turn = 0; turn < TURN; turn++) {
      let time: number | undefined = file.nextAtHand();
      if (time < 0) time = await file.next();
      if (time === undefined || time > until) return time;
      const pending = visit(file);
      if (pending !== undefined) await pending;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
