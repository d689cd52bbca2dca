/**
 * Ms that a finished job asks its key to pause for: `retryAfterMs` of an error, or the `Retry-After`
 * (seconds or HTTP-date, RFC 9110 section 10.2.3) of a fetch response with status 429 or 503, given or thrown.
 * `undefined` when it asks for none.
 */
export function retryAfterOf(outcome: unknown, now: number = Date.now()): number | undefined {
  if (typeof outcome !== "object" || outcome === null) return undefined;
  const { retryAfterMs, response } = outcome as { retryAfterMs?: unknown; response?: unknown };
  if (typeof retryAfterMs === "number" && retryAfterMs > 0 && Number.isFinite(retryAfterMs))
    return Math.ceil(retryAfterMs);
  return (
    ofResponse(outcome, now) ??
    (typeof response === "object" && response !== null ? ofResponse(response, now) : undefined)
  );
}

function ofResponse(response: object, now: number): number | undefined {
  const { status, headers } = response as { status?: unknown; headers?: { get?: unknown } };
  if ((status !== 429 && status !== 503) || typeof headers?.get !== "function") return undefined;
  const text = (headers as Headers).get("retry-after")?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1_000) : Date.parse(text) - now;
  return ms > 0 ? ms : undefined;
}
