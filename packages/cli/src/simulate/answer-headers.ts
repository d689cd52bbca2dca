import type { JudgeAnswer } from "../judge/judge.ts";

/** The headers that a server with this suite's adapters would send. */
export function answerHeaders(
  admitted: boolean,
  { capacity, remaining, resetMs, retryAfterMs }: JudgeAnswer,
  now: number,
): Readonly<Record<string, string>> {
  const comeBackMs = admitted ? resetMs : retryAfterMs;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  return {
    "X-RateLimit-Limit": String(capacity),
    "X-RateLimit-Remaining": String(remaining),
    ...(Number.isFinite(comeBackMs) ? { "X-RateLimit-Reset": String(Math.ceil((now + comeBackMs) / 1_000)) } : {}),
    ...(admitted || !Number.isFinite(seconds) ? {} : { "Retry-After": String(seconds) }),
  };
}
