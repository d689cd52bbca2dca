const REPLAYABLE_KINDS: ReadonlySet<string> = new Set([
  "ArrayBuffer",
  "SharedArrayBuffer",
  "Blob",
  "File",
  "FormData",
  "URLSearchParams",
]);

/**
 * Whether a body can be sent again, whole. Streams and async iterables give their content once; what is not known to be
 * replayable counts as one of them.
 */
export function isReplayable(body: unknown): boolean {
  if (body === undefined || body === null || typeof body === "string") return true;
  if (typeof body !== "object") return false;
  // The form-data package calls its one-shot Node stream a FormData.
  if ("pipe" in body || Symbol.asyncIterator in body) return false;
  // By name, since undici, polyfills and other realms have classes of their own.
  return ArrayBuffer.isView(body) || REPLAYABLE_KINDS.has(Object.prototype.toString.call(body).slice(8, -1));
}
