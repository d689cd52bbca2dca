import { createLimiter } from "@aforo/core";

// What nobody can spare who tells callers what is left: headers, and for a denial its answer, all made up.

/** @type {Record<string, string>} */
export const headers = { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-ratelimit-reset": "1767225600" };

/** @type {Record<string, string>} */
export const rejectionHeaders = {
  ...headers,
  "cache-control": "no-store",
  "retry-after": "60",
  "content-type": "application/problem+json; charset=utf-8",
};

export const rejectionBody = JSON.stringify({
  type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
  title: "Too Many Requests",
  status: 429,
  detail: "The quota is used up. Retry in 60 seconds.",
  "violated-policies": ["default"],
  "retry-after": 60,
});

/**
 * Whether a request is to be denied: as this run is meant to be, or, where `counting`, as a limiter in memory decides and
 * nothing of its HTTP side.
 * @param {{ limit: number, windowMs: number }} context
 * @param {boolean} counting
 * @returns {(address: string) => boolean}
 */
export function denier({ limit, windowMs }, counting) {
  if (!counting) return () => limit === 1;
  const limiter = createLimiter({ policies: [{ name: "default", limit, window: windowMs }] });
  return (address) => !limiter.consume(`ip:${address}`).allowed;
}
