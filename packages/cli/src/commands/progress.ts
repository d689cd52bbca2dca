import { statSync } from "node:fs";
import { Presets, SingleBar } from "cli-progress";
import type { Host } from "../host.ts";

/** Shows how much of the files was read. */
export interface Progress {
  readonly add: (bytes: number) => void;
  readonly stop: () => void;
}

/** On stderr, and only where that is a terminal; without a known total (standard input) it only counts. */
export function showProgress(files: readonly string[], wanted: boolean, { stderr, env }: Host): Progress {
  if (!wanted || stderr.isTTY !== true || env["TERM"] === "dumb") return { add() {}, stop() {} };
  const total = files.reduce((sum, file) => sum + sizeOf(file), 0);
  const bar = new SingleBar(
    {
      stream: stderr,
      format: Number.isFinite(total)
        ? "{bar} {percentage} % of {total} MB, {duration_formatted} so far"
        : "{value} MB, {duration_formatted} so far",
      clearOnComplete: true,
      hideCursor: true,
      etaBuffer: 50,
    },
    Presets.shades_classic,
  );
  let read = 0;
  bar.start(Number.isFinite(total) ? megabytes(total) : 0, 0);
  return {
    add(bytes) {
      read += bytes;
      bar.update(megabytes(read));
    },
    stop: () => bar.stop(),
  };
}

function sizeOf(file: string): number {
  return file === "-" ? NaN : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e5) / 10;
}
