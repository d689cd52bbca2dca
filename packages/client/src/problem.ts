import { abortable } from "./transport/abortable.ts";
import { cancel } from "./transport/discard.ts";
import { freeStreamOf, type ResponseLike } from "./transport/fetch-like.ts";

/** How long a problem document may take to arrive, and how large it may be, to be heeded. */
const PATIENCE_MS = 1000;
const LARGEST_PROBLEM_BYTES = 16 * 1024;

/**
 * Whether a rejection says that the request can never be admitted: an `application/problem+json` body (RFC 9457) whose
 * `type` ends in `cost-above-limit`. Reads a copy; the response stays unread.
 */
export async function saysNever(response: ResponseLike, signal: AbortSignal): Promise<boolean> {
  if (!/^application\/problem\+json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? "")) return false;
  if (freeStreamOf(response) === undefined) return false;
  const copy = (response as ResponseLike & { clone(): ResponseLike }).clone();
  const text = await readText(copy, signal);
  return typeOf(text)?.endsWith("cost-above-limit") === true;
}

/** The body's text, as far as it arrives in time; what is cut short is no JSON, and so says nothing. */
async function readText(copy: ResponseLike, signal: AbortSignal): Promise<string> {
  const reader = freeStreamOf(copy)?.getReader?.();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  const timer = setTimeout(() => cancel(reader), PATIENCE_MS);
  let text = "";
  try {
    for (;;) {
      const { done, value } = await abortable(reader.read(), signal);
      if (done) return text;
      text += decoder.decode(value as Uint8Array, { stream: true });
      if (text.length > LARGEST_PROBLEM_BYTES) return "";
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return "";
  } finally {
    clearTimeout(timer);
    cancel(reader);
  }
}

function typeOf(text: string): string | undefined {
  try {
    const problem = JSON.parse(text) as { type?: unknown } | null;
    return typeof problem?.type === "string" ? problem.type : undefined;
  } catch {
    return undefined;
  }
}
