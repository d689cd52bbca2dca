import { ConfigError } from "../domain/errors.ts";
import type { MaybePromise } from "../domain/store.ts";
import { isThenable, together } from "./guard.ts";
import type { KeyContext, KeyExtractor, KeySource, PreparedKey } from "./key-source.ts";
import { joinParts } from "./key-text.ts";
import { prepareKey, requireKeySource } from "./prepare.ts";
import type { RequestView } from "./request-view.ts";

/** Counts by the first identity that a request has. */
export function firstOf<Raw = unknown>(...sources: readonly KeySource<Raw>[]): KeyExtractor<Raw> {
  requireSources("firstOf", sources);
  return {
    kind: "first",
    prepare(context) {
      const keys = prepareAll(sources, context);
      return (request) => firstFrom(0, keys, request);
    },
  };
}

function firstFrom<Raw>(
  from: number,
  keys: readonly PreparedKey<Raw>[],
  request: RequestView<Raw>,
): MaybePromise<string | undefined> {
  for (let index = from; index < keys.length; index++) {
    const key = (keys[index] as PreparedKey<Raw>)(request);
    if (isThenable(key)) return key.then((found) => found ?? firstFrom(index + 1, keys, request));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Names the key of several identities together, for what is done by hand. */
export interface AllKeys {
  /** @param keys - as the extractors' own `key` names them, in the order given to `allOf`. */
  key(...keys: readonly string[]): string;
}

function createAllOf<Raw = unknown>(...sources: readonly KeySource<Raw>[]): KeyExtractor<Raw> {
  requireSources("allOf", sources);
  return {
    kind: "all",
    prepare(context) {
      const keys = prepareAll(sources, context);
      return (request) =>
        together(
          keys.map((key) => key(request)),
          joined,
        );
    },
  };
}

/** Counts by several identities together, such as each user on each route. Falls through when one is missing. */
export const allOf: (<Raw = unknown>(...sources: readonly KeySource<Raw>[]) => KeyExtractor<Raw>) & AllKeys =
  Object.assign(createAllOf, { key: (...keys: readonly string[]) => `all:${joinParts(keys)}` });

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : `all:${joinParts(parts as readonly string[])}`;
}

function prepareAll<Raw>(sources: readonly KeySource<Raw>[], context: KeyContext): PreparedKey<Raw>[] {
  return sources.map((source) => prepareKey(source, context));
}

function requireSources(name: string, sources: readonly unknown[]): void {
  if (sources.length === 0)
    throw new ConfigError("ERR_AFORO_MISSING_OPTION", `"${name}()" needs at least one extractor`);
  for (const [index, source] of sources.entries()) requireKeySource(`${name}(), argument ${index + 1}`, source);
}
