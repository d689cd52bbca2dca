import { HttpException } from "@nestjs/common";
import type { Rejection, RejectionError } from "@aforo/core/adapter";

/** What the guard throws for a rejection. The limiter's headers are on the response already. */
export class RateLimitException extends HttpException {
  /** `ERR_AFORO_RATE_LIMITED`; `ERR_AFORO_STORE_UNAVAILABLE` with status 503. */
  readonly code: string;
  readonly statusCode: number;
  /** Whole seconds; `undefined` when waiting does not help. */
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The message may be shown to clients. */
  readonly expose = true;
  /** The problem details, or what `respond` made as a body. */
  readonly body: unknown;

  constructor({ status, error }: Rejection) {
    super(bodyOf(error), status, { cause: error });
    this.code = error.code;
    this.statusCode = status;
    this.retryAfter = error.retryAfter;
    this.headers = error.headers;
    this.body = error.body;
  }
}

/** One that the limiter answers itself, as by default: {@link RejectionFilter} writes it. */
export class AnsweredException extends RateLimitException {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection);
    this.rejection = rejection;
  }
}

/** For a request that needs no answer any more: `respond` writes it, it had begun already, or its client is gone. */
export class SettledException extends HttpException {
  constructor() {
    super("the response is somebody else's", 429);
  }
}

function bodyOf({ body, message }: RejectionError): string | object {
  if (typeof body === "string") return body;
  return typeof body === "object" && body !== null ? body : message;
}
