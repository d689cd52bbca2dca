/** What an adapter does after a limiter met a request. Headers are on the response already. */
export type Outcome =
  /** Go on to the handler. */
  | { readonly action: "go" }
  /** Answer with the rejection, or throw or pass on its `error` when `rejection.thrown`. */
  | { readonly action: "reject"; readonly rejection: Rejection }
  /** Do nothing more: the response was written by `respond`, had begun already, or its client is gone. */
  | { readonly action: "stop" };

export const GO: Outcome = { action: "go" };
export const STOP: Outcome = { action: "stop" };

/** A rejection, ready to be written. */
export interface Rejection {
  /** 429; 503 when the store failed closed; 403 for a denied address or key; or what `respond` chose. */
  readonly status: number;
  /** `Content-Type` of the body; `undefined` where headers that `respond` chose name it. */
  readonly type?: string | undefined;
  /** Ready to send; its `Content-Type` is among the headers. */
  readonly body: string | Uint8Array;
  /**
   * Every header of the limiter on this response, names in the usual spelling. All are set on the port already. Made when
   * asked for: no property of the rejection's own, so copies of it lack it.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** `rejectWith: "throw"`: throw or pass on {@link error} instead of writing the body; then no `Content-Type` is set. */
  readonly thrown: boolean;
  /** For error handlers; made when asked for. */
  readonly error: RejectionError;
}

/** A rejection as error handlers get it. Known by its `code`. */
export interface RejectionError extends Error {
  /** `ERR_AFORO_RATE_LIMITED`; `ERR_AFORO_STORE_UNAVAILABLE` with status 503. */
  readonly code: string;
  readonly status: number;
  readonly statusCode: number;
  /** Whole seconds; `undefined` when waiting does not help. */
  readonly retryAfter: number | undefined;
  /** The message may be shown to clients. */
  readonly expose: true;
  readonly headers: Readonly<Record<string, string>>;
  /** The problem details, or what `respond` made as a body. */
  readonly body: unknown;
}
