import Papa from "papaparse";
import type { FieldMap } from "./fields.ts";
import type { Fault, LogParser } from "./log-line.ts";
import { MappedLine } from "./mapped-line.ts";

export interface CsvOptions {
  readonly fields: FieldMap;
  readonly delimiter: string;
  /** Names of the columns; left out, the first line names them. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Reads CSV, one record a line: a quoted field may hold delimiters and quotes, but no line end, which
 * no field of an access log does. So a quote that is never closed spoils one line and not the file.
 */
export function csvParser({ fields, delimiter, columns }: CsvOptions): LogParser {
  let places = columns && placesOf(columns);
  const line = new MappedLine<readonly string[]>(fields, (row, name) => row[places?.get(name) ?? -1]);
  const config = { delimiter, header: false, skipEmptyLines: false } as const;

  function faultOf(row: readonly string[]): Fault | undefined {
    const expected = (places as ReadonlyMap<string, number>).size;
    // Newer versions of a format append columns; these do no harm.
    return row.length < expected && columns === undefined
      ? `expected ${expected} columns, got ${row.length}`
      : line.read(row);
  }

  return {
    readBlock(block, accept, refuse) {
      const text = block.toString("utf8", 0, block.length - 1).replaceAll("\r", "");
      const texts = text.split("\n");
      const whole = Papa.parse<string[]>(text, { ...config, newline: "\n" });
      // The rows are the lines unless some quote is out of place: then each line is looked at by itself.
      const sound = whole.errors.length === 0 && whole.data.length === texts.length;
      for (const [index, text] of texts.entries()) {
        if (text.trim() === "") continue;
        const { data, errors } = sound
          ? { data: [whole.data[index] as string[]], errors: [] }
          : Papa.parse<string[]>(text, config);
        const row = data[0] as string[];
        if (places === undefined) {
          places = placesOf(row);
          continue;
        }
        const fault = errors[0] === undefined ? faultOf(row) : `a quote is out of place (${errors[0].message})`;
        if (fault === undefined) accept(line);
        else refuse(index, text, fault);
      }
      return texts.length;
    },
  };
}

function placesOf(columns: readonly string[]): Map<string, number> {
  return new Map(columns.map((name, index) => [name.trim(), index]));
}
