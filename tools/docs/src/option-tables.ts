import { readFileSync } from "node:fs";
import MarkdownIt from "markdown-it";

/** The tables of a page by their headings: each option, and what its row says of its default. */
export function optionTables(file: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const tables = new Map<string, Map<string, string>>();
  let heading = "";
  let cells: string[] = [];
  for (const { type, content } of new MarkdownIt().parse(readFileSync(file, "utf8"), {})) {
    if (type === "heading_open") cells = [];
    else if (type === "heading_close") heading = cells[0] ?? "";
    else if (type === "tbody_open") tables.set(heading, new Map());
    else if (type === "tr_open") cells = [];
    else if (type === "inline") cells.push(content);
    else if (type === "tr_close") tables.get(heading)?.set((cells[0] ?? "").replaceAll("`", ""), cells[1] ?? "");
  }
  return tables;
}
