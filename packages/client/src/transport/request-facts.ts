import { isReplayable } from "./replayable.ts";

/** A `Request` of any realm or package, as far as it is used here. */
export interface RequestLike {
  readonly url: string;
  readonly method: string;
  readonly signal?: AbortSignal | null;
  readonly body?: unknown;
  clone(): RequestLike;
}

/** The members of a `fetch` init that are used here. */
export interface InitLike {
  readonly method?: string;
  readonly signal?: AbortSignal | null;
  readonly body?: unknown;
}

/** What the retry rules need to know about a call. */
export interface RequestFacts {
  /** Absolute where that can be told, else as given. */
  readonly url: string;
  /** Scheme, host and port; `""` where that cannot be told. */
  readonly origin: string;
  /** The path alone: no query, no fragment. */
  readonly path: string;
  /** In upper case. */
  readonly method: string;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** Whether the body can be sent again, whole; true without a body. */
  readonly replayable: boolean;
}

/** Reads the facts out of what was given to `fetch`; `init` wins over a `Request`, as `fetch` has it. */
export function describeRequest(input: unknown, init: InitLike | undefined): RequestFacts {
  const request = isRequest(input) ? input : undefined;
  const signal = init?.signal === undefined ? request?.signal : init.signal;
  return {
    ...locate(request?.url ?? String(input)),
    method: (init?.method ?? request?.method ?? "GET").toUpperCase(),
    signal: signal ?? undefined,
    // A Request given as init shows its body as a stream, which can be sent once.
    replayable: isReplayable(init?.body),
  };
}

export function isRequest(value: unknown): value is RequestLike {
  if (typeof value !== "object" || value === null) return false;
  const { url, method, clone } = value as Partial<RequestLike>;
  return typeof url === "string" && typeof method === "string" && typeof clone === "function";
}

/** Browsers take `"/path"`, and resolve it against the page; what is no URL is left for the underlying fetch to refuse. */
function locate(url: string): Pick<RequestFacts, "url" | "origin" | "path"> {
  try {
    const { href, origin, pathname } = new URL(url, (globalThis as { location?: { href?: string } }).location?.href);
    return { url: href, origin, path: pathname };
  } catch {
    return { url, origin: "", path: url };
  }
}
