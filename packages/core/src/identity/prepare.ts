import { ConfigError, got } from "../domain/errors.ts";
import type { MaybePromise } from "../domain/store.ts";
import { guarded } from "./guard.ts";
import type { KeyContext, KeyExtractor, KeyFunction, KeySource, KeyValue, PreparedKey } from "./key-source.ts";
import { keyText } from "./key-text.ts";
import type { RequestView } from "./request-view.ts";

/** The name space of the application's own key functions. */
const CUSTOM = "custom";

/** Makes an extractor or a key function ready for one limiter. */
export function prepareKey<Raw>(source: KeySource<Raw>, context: KeyContext): PreparedKey<Raw> {
  return typeof source === "function" ? prepareFunction(CUSTOM, source, context) : source.prepare(context);
}

/** A function of the application, in a name space: what it throws or names wrongly is an event, and no key. */
export function prepareFunction<Raw>(kind: string, read: KeyFunction<Raw>, context: KeyContext): PreparedKey<Raw> {
  const named = (value: KeyValue): string | undefined => {
    try {
      const text = keyText(value);
      return text === undefined ? undefined : `${kind}:${text}`;
    } catch (error) {
      context.failed("bad-key", kind, error);
      return undefined;
    }
  };
  const failed = (error: unknown): undefined => {
    context.failed("key-failed", kind, error);
    return undefined;
  };
  return (request: RequestView<Raw>): MaybePromise<string | undefined> =>
    guarded(() => read(request), named, failed, context.timeoutMs);
}

/** @throws {@link ConfigError} for whatever is neither an extractor nor a function. */
export function requireKeySource<Raw>(option: string, source: unknown): KeySource<Raw> {
  if (typeof source === "function") {
    if ("key" in source) {
      throw new ConfigError(
        "ERR_AFORO_INVALID_OPTION",
        `"${option}" must be an extractor: call ${source.name === "" ? "it" : source.name}(), ${got(source)}`,
      );
    }
    return source as KeyFunction<Raw>;
  }
  const extractor = source as Partial<KeyExtractor<Raw>> | null;
  if (typeof extractor === "object" && extractor !== null && typeof extractor.prepare === "function")
    return extractor as KeyExtractor<Raw>;
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `"${option}" must be an extractor such as ip() or a function of the request, ${got(source)}`,
  );
}
