import { Option, type Command } from "commander";
import { PRESETS, type FieldMap } from "../log/fields.ts";
import { FORMATS, type FormatOptions } from "../log/log-format.ts";
import type { LogOptions } from "../log/read-log.ts";
import { lineFilter, type FilterFlags } from "./line-filter.ts";
import { collect, duration, separator, time } from "./options.ts";

/** What the options of {@link addLogOptions} are parsed into. */
export interface LogFlags extends FilterFlags {
  readonly format: (typeof FORMATS)[number];
  readonly preset?: string;
  readonly timeField?: string;
  readonly ipField?: string;
  readonly userField?: string;
  readonly methodField?: string;
  readonly pathField?: string;
  readonly statusField?: string;
  readonly delimiter?: string;
  readonly columns?: string;
  readonly reorder: number;
  readonly spread: boolean;
  readonly progress: boolean;
}

/** How a log is read. */
export function addLogOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <name>", "how the log is written")
        .choices(FORMATS)
        .default("auto", "what the first line looks like"),
    )
    .addOption(new Option("--preset <name>", "fields as this system names them").choices(Object.keys(PRESETS)))
    .option("--time-field <name>", "JSON path or CSV column of the time (several: a,b)")
    .option("--ip-field <name>", "... of the client's address")
    .option("--user-field <name>", "... of the user")
    .option("--method-field <name>", "... of the method")
    .option("--path-field <name>", "... of the path or URL")
    .option("--status-field <name>", "... of the status")
    .option("--delimiter <char>", "CSV: what separates columns", separator)
    .option("--columns <a,b,...>", "CSV: names of the columns, where no header line has them")
    .addOption(
      new Option(
        "--reorder <duration>",
        "hold requests back this long to put late lines in order; what is later still counts at the newest time",
      )
        .argParser(duration)
        .default(5_000, "5s"),
    )
    .option("--spread", "spread the requests of one stamp evenly over its second", false)
    .option("--include <pattern>", 'only these requests, such as "POST /login" or "/api/*" (repeatable)', collect)
    .option("--exclude <pattern>", "not these requests (repeatable)", collect)
    .option("--since <time>", "not what was before (ISO 8601, or seconds or ms since 1970)", time)
    .option("--until <time>", "not what was at or after", time)
    .option("--no-progress", "no progress bar (there is none unless stderr is a terminal)");
}

function formatOf(flags: LogFlags): FormatOptions {
  const names = (text: string | undefined): readonly string[] | undefined =>
    text?.split(",").map((name) => name.trim());
  const fields: Partial<Record<keyof FieldMap, readonly string[] | undefined>> = {
    time: names(flags.timeField),
    ip: names(flags.ipField),
    user: names(flags.userField),
    method: names(flags.methodField),
    path: names(flags.pathField),
    status: names(flags.statusField),
  };
  const given = Object.entries(fields).filter(([, spellings]) => spellings !== undefined);
  return {
    format: flags.format,
    preset: flags.preset,
    fields: Object.fromEntries(given) as Partial<FieldMap>,
    delimiter: flags.delimiter,
    columns: names(flags.columns),
  };
}

/** @param onRead - told of each piece of a file that was read */
export function logOptionsOf(files: readonly string[], flags: LogFlags, onRead: (bytes: number) => void): LogOptions {
  return {
    files,
    format: formatOf(flags),
    wanted: lineFilter(flags),
    reorderMs: flags.reorder,
    spread: flags.spread,
    onRead,
  };
}
