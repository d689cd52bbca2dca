/** A bare item of RFC 9651; strings and byte sequences are given without their delimiters. */
export interface BareItem {
  readonly type: "string" | "token" | "integer" | "decimal" | "bytes" | "boolean" | "date";
  readonly text: string;
}

/** A member of a structured list, with its parameters by name; of repeated names the last counts. */
export interface ListMember {
  readonly item: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
}

const BARE_ITEMS: ReadonlyArray<readonly [BareItem["type"], RegExp]> = [
  ["string", /^"((?:[ !#-[\]-~]|\\["\\])*)"/],
  ["decimal", /^(-?\d{1,12}\.\d{1,3})(?![\d.])/],
  ["integer", /^(-?\d{1,15})(?![\d.])/],
  ["token", /^([A-Za-z*][\w!#$%&'*+\-.^`|~:/]*)/],
  ["bytes", /^:([A-Za-z0-9+/=]*):/],
  ["boolean", /^\?([01])/],
  ["date", /^@(-?\d{1,15})(?![\d.])/],
];
const PARAMETER = /^; *([a-z*][a-z0-9_\-.*]*)(=?)/;
const COMMA = /^[ \t]*,[ \t]*/;

/**
 * Parses a list of RFC 9651. As that RFC wants it, one mistake makes the whole field malformed: `undefined`. Inner lists
 * and display strings, which no rate limit field uses, count as mistakes.
 */
export function parseStructuredList(field: string): readonly ListMember[] | undefined {
  const members: ListMember[] = [];
  let rest = field.replace(/^ +| +$/g, "");
  if (rest === "") return members;
  for (;;) {
    const item = takeItem();
    if (item === undefined) return undefined;
    const parameters = takeParameters();
    if (parameters === undefined) return undefined;
    members.push({ item, parameters });
    if (rest === "") return members;
    if (take(COMMA) === undefined) return undefined;
  }

  function takeItem(): BareItem | undefined {
    for (const [type, pattern] of BARE_ITEMS) {
      const found = take(pattern);
      if (found !== undefined) return { type, text: type === "string" ? found[1]!.replace(/\\(.)/g, "$1") : found[1]! };
    }
    return undefined;
  }

  function takeParameters(): ReadonlyMap<string, BareItem> | undefined {
    const parameters = new Map<string, BareItem>();
    for (let found = take(PARAMETER); found !== undefined; found = take(PARAMETER)) {
      const value: BareItem | undefined = found[2] === "" ? { type: "boolean", text: "1" } : takeItem();
      if (value === undefined) return undefined;
      parameters.set(found[1]!, value);
    }
    return parameters;
  }

  function take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(rest);
    if (found === null) return undefined;
    rest = rest.slice(found[0].length);
    return found;
  }
}

/** The value of a number parameter when it is a non-negative integer, else `undefined`. */
export function naturalOf(item: BareItem | undefined): number | undefined {
  return item?.type === "integer" && !item.text.startsWith("-") ? Number(item.text) : undefined;
}
