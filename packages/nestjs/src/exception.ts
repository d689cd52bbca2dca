import { HttpException } from "@nestjs/common";
import type { Rejection, RejectionError } from "@aforo/core/adapter";

/** What the guard throws for a rejection. Its headers are on the response already. */
export class RateLimitException extends HttpException {
  /** `ERR_AFORO_RATE_LIMITED`; `ERR_AFORO_STORE_UNAVAILABLE` with status 503. */
  readonly code: string;
  /** Whole seconds; `undefined` when waiting does not help. */
  readonly retryAfter: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ status, error }: Rejection) {
    super(bodyOf(error), status, { cause: error });
    this.code = error.code;
    this.retryAfter = error.retryAfter;
    this.headers = error.headers;
  }
}

function bodyOf({ body, message }: RejectionError): string | object {
  if (typeof body === "string") return body;
  return typeof body === "object" && body !== null ? body : message;
}
