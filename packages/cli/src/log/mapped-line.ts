import type { AddressKey } from "../callers/address.ts";
import type { CallerTable } from "../callers/caller-table.ts";
import { methodOf, pathOf, type FieldMap } from "./fields.ts";
import type { Fault, LogLine } from "./log-line.ts";
import { parseTime } from "./time.ts";

/** Where loggers keep request headers: pino, Caddy, Traefik, and those who write their own. */
const HEADERS = ["req.headers.", "request.headers.", "request_", "headers.", "http_"];

/** A line of a format whose fields have names: asks `look` for each spelling that the map has for a field. */
export class MappedLine<Row> implements LogLine {
  time = 0.5;
  readonly #fields: FieldMap;
  readonly #look: (row: Row, name: string) => unknown;
  #row: Row | undefined;

  constructor(fields: FieldMap, look: (row: Row, name: string) => unknown) {
    this.#fields = fields;
    this.#look = look;
  }

  read(row: Row): Fault | undefined {
    this.#row = row;
    const stamp = this.#first(this.#fields.time);
    if (stamp === undefined) return `expected a time in ${spelt(this.#fields.time)}; name it with --time-field`;
    this.time = parseTime(stamp) ?? -1;
    return this.time < 0
      ? `the time ${JSON.stringify(stamp)} is neither a number of seconds, ms, us or ns since 1970 nor ISO 8601`
      : undefined;
  }

  address(callers: CallerTable, key: AddressKey): number {
    return key.internText(callers, this.field("ip"));
  }

  field(name: string): string | undefined {
    const spellings = this.#fields[name as keyof FieldMap] as readonly string[] | undefined;
    const text = textOf(spellings === undefined ? this.#look(this.#row as Row, name) : this.#first(spellings));
    if (name === "method") return methodOf(text);
    return name === "path" ? pathOf(text) : text;
  }

  header(name: string): string | undefined {
    if (name === "user-agent") return this.field("agent");
    const canonical = name.replace(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase());
    return textOf(this.#first(HEADERS.flatMap((prefix) => [prefix + name, prefix + canonical])));
  }

  snapshot(): LogLine {
    const copy = new MappedLine(this.#fields, this.#look);
    copy.#row = this.#row;
    copy.time = this.time;
    return copy;
  }

  #first(names: readonly string[]): unknown {
    for (const name of names) {
      const value = this.#look(this.#row as Row, name);
      if (value !== undefined && value !== null && value !== "") return value;
    }
    return undefined;
  }
}

function spelt(names: readonly string[]): string {
  const first = names.slice(0, 3).map((name) => `"${name}"`);
  return first.join(", ") + (names.length > 3 ? " or a similar name" : "");
}

function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return textOf(value.join(", "));
  if (typeof value === "string") return value === "" || value === "-" ? undefined : value;
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : undefined;
}
