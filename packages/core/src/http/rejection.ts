import { AforoError } from "../domain/errors.ts";
import type { Denial } from "./denial.ts";
import type { HeaderSink } from "./headers/header-sink.ts";
import type { Rejection, RejectionError } from "./outcome.ts";
import type { ResponsePort } from "./response-port.ts";

/** A body, and what it is. `undefined` type: headers that `respond` chose name it already. */
export interface RejectionBody {
  readonly status: number;
  readonly type: string | undefined;
  readonly text: string | Uint8Array;
  /** As it was before it became text. */
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that the application meant for the answer that is not given now. */
const UNFIT_HEADERS: readonly string[] = [
  "etag",
  "last-modified",
  "expires",
  "cdn-cache-control",
  "surrogate-control",
  "retry-after",
];

/** Sets headers and remembers them, since some frameworks drop those that are set when an error is thrown. */
export class RecordingSink implements HeaderSink {
  /** Names, each with its value behind it. */
  readonly #set: string[] = [];
  readonly #port: ResponsePort;

  constructor(port: ResponsePort) {
    this.#port = port;
  }

  setHeader(name: string, value: string): void {
    this.#port.setHeader(name, value);
    // Only what the response took.
    this.#set.push(name, value);
  }

  /** What was set; made anew each time. */
  record(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (let at = 0; at < this.#set.length; at += 2) headers[this.#set[at] as string] = this.#set[at + 1] as string;
    return headers;
  }
}

/** Puts a rejection's own headers on the response; the limiter's others are there. */
export function setRejectionHeaders(
  sink: RecordingSink,
  port: ResponsePort,
  denial: Denial,
  retryAfter: "seconds" | "http-date",
): void {
  for (const name of UNFIT_HEADERS) if (port.getHeader(name) !== undefined) port.removeHeader(name);
  // RFC 6585, section 4: a 429 must not be stored; whoever it is for, others are served from caches.
  sink.setHeader("Cache-Control", "no-store");
  if (denial.retryAfter !== undefined) {
    sink.setHeader("Retry-After", retryAfter === "seconds" ? String(denial.retryAfter) : dateIn(denial.retryAfter));
  }
  // The body is not read; the next request of this connection could not be told from it. HTTP/2 has streams for that.
  if (port.unreadBody) port.setHeader("Connection", "close");
}

/** Rounded up to whole seconds, as dates are. */
function dateIn(seconds: number): string {
  return new Date((Math.ceil(Date.now() / 1_000) + seconds) * 1_000).toUTCString();
}

/** The {@link Rejection} that adapters get. */
export class RejectionRecord implements Rejection {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string | Uint8Array;
  readonly thrown: boolean;
  readonly #denial: Denial;
  readonly #value: unknown;
  readonly #sink: RecordingSink;
  #headers: Readonly<Record<string, string>> | undefined;
  #error: RejectionError | undefined;

  constructor(denial: Denial, body: RejectionBody, sink: RecordingSink, thrown: boolean) {
    this.status = body.status;
    this.type = body.type;
    this.body = body.text;
    this.thrown = thrown;
    this.#denial = denial;
    this.#value = body.value;
    this.#sink = sink;
  }

  /** Made when asked for: most rejections are written, and all headers are on the response then. */
  get headers(): Readonly<Record<string, string>> {
    return (this.#headers ??= this.#sink.record());
  }

  /** Made when asked for: an error costs a stack trace. */
  get error(): RejectionError {
    return (this.#error ??= new HttpRejectionError(this.#denial, this.status, this.headers, this.#value));
  }
}

class HttpRejectionError extends AforoError implements RejectionError {
  override readonly name = "RateLimitError";
  readonly status: number;
  readonly statusCode: number;
  readonly retryAfter: number | undefined;
  readonly expose = true;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;

  constructor(denial: Denial, status: number, headers: Readonly<Record<string, string>>, body: unknown) {
    super(denial.code, `${denial.title}: ${denial.detail}`);
    this.status = status;
    this.statusCode = status;
    this.retryAfter = denial.retryAfter;
    this.headers = headers;
    this.body = body;
  }
}
