import type { FieldMap } from "./fields.ts";
import type { LogParser } from "./log-line.ts";
import { MappedLine } from "./mapped-line.ts";

/** Reads logs of one JSON object a line. A field's name is a path, such as `req.headers.x-api-key`. */
export function jsonLinesParser(fields: FieldMap): LogParser {
  const paths = new Map<string, readonly string[]>();
  const line = new MappedLine<object>(fields, (row, name) => {
    // A name that holds dots may be one property, as in flattened logs.
    if (Object.hasOwn(row, name)) return (row as Record<string, unknown>)[name];
    let path = paths.get(name);
    if (path === undefined) paths.set(name, (path = name.split(".")));
    return valueAt(row, path);
  });
  return {
    readBlock(block, accept, refuse) {
      const texts = block.toString("utf8").split("\n");
      texts.pop();
      for (const [index, text] of texts.entries()) {
        if (text === "" || text === "\r") continue;
        const row = parsed(text);
        const fault = row === undefined ? "no JSON object" : line.read(row);
        if (fault === undefined) accept(line);
        else refuse(index, text, fault);
      }
      return texts.length;
    },
  };
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function valueAt(row: object, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
