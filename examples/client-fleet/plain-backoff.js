import { setTimeout as sleep } from "node:timers/promises";

/**
 * What most people write: a fetch that retries a 429 by exponential backoff with full jitter, and reads no headers.
 * @param {{ baseDelayMs: number, maxDelayMs: number, maxRetries: number, signal: AbortSignal }} options
 * @returns {(url: string) => Promise<Response>}
 */
export function plainBackoff({ baseDelayMs, maxDelayMs, maxRetries, signal }) {
  return async (url) => {
    for (let retry = 0; ; retry += 1) {
      const response = await fetch(url, { signal });
      if (response.status !== 429 || retry === maxRetries) return response;
      await response.body?.cancel();
      await sleep(Math.random() * Math.min(maxDelayMs, baseDelayMs * 2 ** retry), undefined, { signal });
    }
  };
}
