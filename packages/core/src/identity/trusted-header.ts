import { ConfigError, got } from "../domain/errors.ts";
import type { KeyExtractor } from "./key-source.ts";
import { prepareFunction } from "./prepare.ts";

/** Names the key of a header's value, for what is done by hand. */
export interface HeaderKeys {
  key(header: string, value: string): string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function createTrustedHeader(header: string): KeyExtractor {
  const name = requireHeaderName("trustedHeader()", header);
  return {
    kind: "header",
    prepare: (context) => prepareFunction(`header:${name}`, (request) => request.header(name)?.trim(), context),
  };
}

/**
 * Counts by a header that a gateway in front sets and clients cannot: a tenant, an account, a verified client id.
 * Whoever reaches the server past that gateway can write it, so it must not be reachable. A repeated header
 * counts as its values joined by ", ".
 */
export const trustedHeader: ((header: string) => KeyExtractor) & HeaderKeys = Object.assign(createTrustedHeader, {
  key: (header: string, value: string) => `header:${requireHeaderName("trustedHeader.key", header)}:${value.trim()}`,
});

/** @returns the name in lower case. */
export function requireHeaderName(option: string, name: unknown): string {
  if (typeof name === "string" && TOKEN.test(name)) return name.toLowerCase();
  throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"${option}" needs the name of a header, ${got(name)}`);
}
