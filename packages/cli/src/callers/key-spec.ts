import type { LogLine } from "../log/log-line.ts";
import { UsageError } from "../usage-error.ts";
import { AddressKey } from "./address.ts";
import { CallerTable } from "./caller-table.ts";

/** Whom to count, as the command line and policy files say it. */
export interface KeySpec {
  /** As it was written. */
  readonly text: string;
  /** The callers seen, numbered. */
  readonly callers: CallerTable;
  /** The caller of a line. */
  callerOf(line: LogLine): number;
}

/** Between the parts of one key: no log field holds it. */
const JOINT = "\u001F";

type Part = (line: LogLine) => string | undefined;

/** Spells an address as the limiter does, grouping IPv6 by a prefix; `undefined` for what is no address. */
export type Normalize = (address: string, ipv6Prefix: number) => string | undefined;

/**
 * Reads `ip`, `ip/56` (IPv6 by that prefix), `user`, `field:NAME`, `header:NAME`, `all` (everyone together); `a,b` is the
 * first of them that the line has, `a+b` both together. Whom none of them names is counted by address, as the
 * limiter does.
 *
 * @throws {@link UsageError} when it is none of these.
 */
export function parseKeySpec(text: string, normalize: Normalize): KeySpec {
  const callers = new CallerTable();
  const choices = text.split(",").map((choice) => choice.trim());
  const firstAddress = choices.findIndex((choice) => prefixOf(choice) !== undefined);
  const address = addressKey(prefixOf(choices[firstAddress] ?? "ip") ?? 64, normalize);
  if (firstAddress === 0) return { text, callers, callerOf: (line) => line.address(callers, address) };

  const before = choices.slice(0, firstAddress < 0 ? choices.length : firstAddress);
  const parts = before.map((choice) => ({
    choice,
    parts: choice.split("+").map((part) => parsePart(part.trim(), text, normalize)),
  }));

  function callerOf(line: LogLine): number {
    for (const { choice, parts: each } of parts) {
      const values = each.map((part) => part(line));
      // Choices have name spaces of their own: a user called 10.0.0.1 is no address.
      if (values.every((value) => value !== undefined)) return callers.internText(`${choice}: ${values.join(JOINT)}`);
    }
    return line.address(callers, address);
  }
  return { text, callers, callerOf };
}

/** A caller's key as people read it. */
export function displayKey(key: string): string {
  return key.replaceAll(JOINT, " + ");
}

function parsePart(part: string, whole: string, normalize: Normalize): Part {
  const prefix = prefixOf(part);
  if (prefix !== undefined) {
    const key = addressKey(prefix, normalize);
    return (line) => key.text(line.field("ip"));
  }
  if (part === "user" || part === "method" || part === "agent") return (line) => line.field(part);
  if (part === "path") return (line) => line.field("path")?.replace(/[?#].*$/s, "");
  if (part === "all") return () => "everyone";
  const colon = part.indexOf(":");
  const name = part.slice(colon + 1);
  if (colon > 0 && name !== "") {
    if (part.startsWith("field:")) return (line) => line.field(name);
    if (part.startsWith("header:")) return (line) => line.header(name.toLowerCase());
  }
  throw new UsageError(
    `key ${JSON.stringify(whole)}: ${JSON.stringify(part)} must be ip, ip/PREFIX, user, method, path, agent, all, field:NAME or header:NAME; "a,b" is the first that a line has, "a+b" both together`,
  );
}

function addressKey(prefix: number, normalize: Normalize): AddressKey {
  return new AddressKey((text) => normalize(text, prefix));
}

function prefixOf(part: string): number | undefined {
  if (part === "ip") return 64;
  const digits = /^ip\/(\d{1,3})$/.exec(part)?.[1];
  return digits === undefined || Number(digits) < 1 || Number(digits) > 128 ? undefined : Number(digits);
}
