import type { MaybePromise } from "../domain/store.ts";
import type { Id, RequestView } from "./request-view.ts";

/**
 * What a key function may answer. `undefined`, `null` and `""` fall through to the next extractor;
 * an array joins its parts so that they cannot run into each other.
 */
export type KeyValue = Id | readonly Id[] | null | undefined;

/** A key function of the application. Its keys have a name space of their own. */
export type KeyFunction<Raw = unknown> = (request: RequestView<Raw>) => MaybePromise<KeyValue>;

/** One of the suite's extractors: `ip()`, `user(...)`, `firstOf(...)` and so on. Opaque; made by those functions. */
export interface KeyExtractor<Raw = unknown> {
  /** What kind of identity its keys are, such as `"ip"`; shown in records. */
  readonly kind: string;
  /** Made ready once, for one limiter. */
  prepare(context: KeyContext): PreparedKey<Raw>;
}

/** Whom to count: an extractor, or a function of the application. */
export type KeySource<Raw = unknown> = KeyExtractor<Raw> | KeyFunction<Raw>;

/** Reads the key of one request; `undefined` when this identity does not apply. Never throws or rejects. */
export type PreparedKey<Raw = unknown> = (request: RequestView<Raw>) => MaybePromise<string | undefined>;

/** What a limiter lends its extractors. */
export interface KeyContext {
  readonly limiter: string;
  /** How the framework is told which proxies to trust; ends the warnings about them. */
  readonly proxyHint?: string | undefined;
  /** How long an asynchronous extractor may take, in ms. */
  readonly timeoutMs: number;
  /** The application's function or value was unusable; the next extractor decides. */
  failed(type: "key-failed" | "bad-key", kind: string, error: unknown): void;
  /** Told to the process, once for each code and limiter. */
  warn(code: string, message: string): void;
}
