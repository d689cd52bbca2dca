import { AforoError, got } from "../domain/errors.ts";
import type { KeyValue } from "./key-source.ts";
import type { Id } from "./request-view.ts";

/**
 * What a bug makes of a missing identity: `String(undefined)`, `${null}`, `"" + {}`. Counted as one caller, it
 * would be thousands.
 */
const ACCIDENTS: ReadonlySet<string> = new Set(["undefined", "null", "NaN", "[object Object]"]);

/**
 * The text of what an application named as an identity, or `undefined` when it named none: for `undefined`, `null`,
 * `""`, and an array with a part that is `undefined` or `null`.
 *
 * @throws AforoError `ERR_AFORO_INVALID_KEY` for objects, booleans, `NaN`, and the text of a missing value.
 */
export function keyText(value: KeyValue): string | undefined {
  if (Array.isArray(value)) {
    if (value.length === 0 || value.includes(undefined) || value.includes(null)) return undefined;
    return joinParts(value.map((part: unknown) => textOf(part)));
  }
  const text = value === undefined || value === null ? "" : textOf(value);
  return text === "" ? undefined : text;
}

/** Joins parts so that no two lists give one text: each goes with its length. */
export function joinParts(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join("");
}

/** For keys named by hand, where a missing value is a mistake. */
export function requireKeyText(value: Id | readonly Id[]): string {
  const text = keyText(value);
  if (text !== undefined) return text;
  throw new AforoError("ERR_AFORO_INVALID_KEY", `a key must be a text that is not empty or a number, ${got(value)}`);
}

function textOf(value: unknown): string {
  if (typeof value === "string" && !ACCIDENTS.has(value)) return value;
  if (typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value))) return String(value);
  throw new AforoError("ERR_AFORO_INVALID_KEY", `a key must be text, a number or an array of them, ${got(value)}`);
}
