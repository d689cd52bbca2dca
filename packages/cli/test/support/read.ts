import { AddressKey } from "../../src/callers/address.ts";
import { CallerTable } from "../../src/callers/caller-table.ts";
import type { LogLine, LogParser } from "../../src/log/log-line.ts";

/** Fields of every line that is a request, and what was said of the others. */
export interface Found {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly faults: readonly { readonly index: number; readonly text: string; readonly fault: string }[];
  readonly count: number;
}

const FIELDS = ["ip", "user", "method", "path", "status", "agent"];

/** Reads a text with a parser, in one block. */
export function readText(parser: LogParser, text: string, fields: readonly string[] = FIELDS): Found {
  const lines: Record<string, unknown>[] = [];
  const faults: { index: number; text: string; fault: string }[] = [];
  const count = parser.readBlock(
    Buffer.from(text.endsWith("\n") ? text : `${text}\n`),
    (line) => lines.push(fieldsOf(line, fields)),
    (index, line, fault) => faults.push({ index, text: line, fault }),
  );
  return { lines, faults, count };
}

function fieldsOf(line: LogLine, fields: readonly string[]): Record<string, unknown> {
  const callers = new CallerTable();
  const key = new AddressKey((text) => (/^[\d.]+$/.test(text) || text.includes(":") ? text.toLowerCase() : undefined));
  const copy = line.snapshot();
  const found = { time: line.time, caller: callers.key(line.address(callers, key)), ...pick(line, fields) };
  // A copy says the same.
  expect({ ...found, ...pick(copy, fields), time: copy.time }).toEqual(found);
  return found;
}

function pick(line: LogLine, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field, line.field(field)]).filter(([, value]) => value !== undefined),
  );
}
