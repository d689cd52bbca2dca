/** Every error code of this package and what it says. Codes never change; messages may. */
export const CLIENT_ERROR_CODES = {
  ERR_AFORO_CLIENT_UNKNOWN_OPTION: "an option that does not exist was given",
  ERR_AFORO_CLIENT_INVALID_OPTION: "an option has a value of the wrong type or outside its range",
  ERR_AFORO_CLIENT_NO_FETCH: "there is no global fetch and none was given",
  ERR_AFORO_CLIENT_DEADLINE: "the call took longer than deadlineMs",
  ERR_AFORO_CLIENT_NOT_USEFUL: "isStillUseful said that the answer is no longer wanted",
} as const;

/** A stable code; compare errors by it, not by `instanceof` (the ESM and CommonJS copies differ). */
export type ClientErrorCode = keyof typeof CLIENT_ERROR_CODES;

/** Any error that this package makes itself; what the underlying `fetch` throws comes through as it is. */
export class AforoClientError extends Error {
  override readonly name = "AforoClientError";
  /** Stable; one of {@link CLIENT_ERROR_CODES}. */
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
