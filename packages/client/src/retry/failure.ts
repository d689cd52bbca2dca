import { parseRetryAfter } from "../headers/retry-after.ts";
import { serverTime } from "../headers/server-time.ts";
import { statedWait, type StatedWait } from "../headers/stated-wait.ts";
import type { ResponseLike } from "../transport/fetch-like.ts";

/** What may be retried besides 429 and 503 with Retry-After: a status of 400 to 599, or a request without an answer. */
export type RetryCause = number | "network-error";

/** What an attempt came to. */
export type Answer =
  | { readonly response: ResponseLike; readonly error?: undefined }
  | { readonly response?: undefined; readonly error: unknown };

/** An answer that asks for another attempt. */
export interface Failure {
  /** Whether the server has refused to do the work (429, 503 with Retry-After), so that even a POST was not carried out. */
  readonly refused: boolean;
  readonly stated: StatedWait | undefined;
}

/** Methods that may be repeated though the first attempt was perhaps carried out (RFC 9110, 9.2.2, and QUERY). */
export const IDEMPOTENT_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"];

/** Why an answer is to be retried; `undefined` when the caller gets it as it is. */
export function failureOf(answer: Answer, retryOn: readonly RetryCause[], localNow: number): Failure | undefined {
  if (answer.response === undefined)
    return retryOn.includes("network-error") ? { refused: false, stated: undefined } : undefined;
  const { status, headers } = answer.response;
  if (status === 429) return { refused: true, stated: statedWait(headers, localNow) };
  const retryAfter = parseRetryAfter(headers.get("retry-after"), serverTime(headers, localNow));
  const stated: StatedWait | undefined =
    retryAfter === undefined ? undefined : { ms: retryAfter, source: "retry-after" };
  if (status === 503 && stated !== undefined) return { refused: true, stated };
  return retryOn.includes(status) ? { refused: false, stated } : undefined;
}
