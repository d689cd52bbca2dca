import { UsageError } from "../usage-error.ts";
import { combinedParser } from "./combined.ts";
import { csvParser } from "./csv.ts";
import { PRESETS, USUAL_FIELDS, type FieldMap } from "./fields.ts";
import { jsonLinesParser } from "./json-lines.ts";
import type { LogParser } from "./log-line.ts";

export const FORMATS = ["auto", "combined", "common", "json", "csv"] as const;

/** How the command line says a log is written. */
export interface FormatOptions {
  /** @defaultValue what the first line looks like */
  readonly format?: (typeof FORMATS)[number] | undefined;
  /** A key of {@link PRESETS}. */
  readonly preset?: string | undefined;
  /** Names for single fields, tried before those of the preset. */
  readonly fields?: Partial<FieldMap> | undefined;
  readonly delimiter?: string | undefined;
  readonly columns?: readonly string[] | undefined;
}

/**
 * Makes the parser for one file.
 *
 * @param firstLine - the first line that is not empty.
 * @throws {@link UsageError} when it looks like no known format and none was named.
 */
export function parserFor(file: string, firstLine: string, options: FormatOptions): LogParser {
  const preset = options.preset === undefined ? undefined : PRESETS[options.preset];
  const fields = { ...(preset?.fields ?? USUAL_FIELDS), ...options.fields };
  const format = chosen(options) ?? detected(firstLine);
  if (format === "combined") return combinedParser();
  if (format === "json") return jsonLinesParser(fields);
  if (format === "csv") {
    const delimiter = options.delimiter ?? preset?.delimiter ?? likelyDelimiter(firstLine);
    return csvParser({ fields, delimiter, columns: options.columns ?? preset?.columns });
  }
  throw new UsageError(
    `${file}: the first line looks like neither the combined format, JSON nor CSV: ${JSON.stringify(firstLine.slice(0, 120))}; name it with --format or --preset`,
  );
}

function chosen({ format, preset, columns }: FormatOptions): "combined" | "json" | "csv" | undefined {
  if (format !== undefined && format !== "auto") return format === "common" ? "combined" : format;
  if (preset !== undefined) return PRESETS[preset]?.format;
  return columns === undefined ? undefined : "csv";
}

function detected(line: string): "combined" | "json" | "csv" | undefined {
  if (/^\s*\{/.test(line)) return "json";
  if (/^\S+ .*\[[^\]]*\d[^\]]*\] "/.test(line)) return "combined";
  // A header line: several plain names, one of which is some usual name for the time.
  const names = line.split(likelyDelimiter(line)).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
  return names.length > 1 && names.some((name) => USUAL_FIELDS.time.includes(name)) ? "csv" : undefined;
}

function likelyDelimiter(line: string): string {
  return [",", "\t", ";", "|"].find((delimiter) => line.includes(delimiter)) ?? ",";
}
