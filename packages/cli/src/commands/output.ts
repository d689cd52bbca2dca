import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { hasColors, type Host } from "../host.ts";
import { htmlReport } from "../report/html.ts";
import type { Report } from "../report/report.ts";
import { textReport } from "../report/text.ts";
import { RunError } from "../usage-error.ts";
import { wholeNumber } from "./options.ts";

export interface OutputFlags {
  readonly json: boolean;
  readonly html?: string;
  readonly top: number;
}

/** Where a report goes. */
export function addOutputOptions(command: Command): Command {
  return command
    .option("--json", "print the whole report as JSON", false)
    .option("--html <file>", "also write it as one self-contained page with plots")
    .option("--top <n>", "how many of the heaviest callers to print", wholeNumber(0), 10);
}

export async function writeReport(report: Report, flags: OutputFlags, host: Host): Promise<void> {
  if (flags.html !== undefined) {
    const page = await htmlReport(report, host.root);
    await writeFile(flags.html, page).catch((error: unknown) => {
      throw new RunError(`--html ${flags.html}: ${(error as Error).message}`);
    });
  }
  host.stdout.write(
    flags.json
      ? `${JSON.stringify(report, undefined, 2)}\n`
      : textReport(report, { top: flags.top, colors: hasColors(host) }),
  );
}
