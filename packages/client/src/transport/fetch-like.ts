import type { HeaderSource } from "../headers/header-source.ts";

/** What is used of a response; the `Response` of every runtime has it. */
export interface ResponseLike {
  readonly status: number;
  readonly headers: HeaderSource;
}

/** Any `fetch`: the global one, undici's, a wrapped or mocked one. */
export type FetchLike = (input: never, init?: never) => Promise<ResponseLike>;

/** The response type of a `fetch`. */
export type ResponseOf<F extends FetchLike> = Awaited<ReturnType<F>>;

/** The parts of a web stream that draining needs. */
export interface StreamLike {
  readonly locked?: boolean;
  getReader?(): { read(): Promise<{ done: boolean; value?: unknown }>; cancel(reason?: unknown): Promise<void> };
  cancel?(reason?: unknown): Promise<void>;
}

/** The body of a request or response when it is a web stream that nobody reads yet. */
export function freeStreamOf(holder: object): StreamLike | undefined {
  const { body } = holder as { body?: StreamLike | null };
  if (typeof body !== "object" || body === null || body.locked === true) return undefined;
  return body;
}
