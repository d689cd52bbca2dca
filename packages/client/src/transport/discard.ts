import { freeStreamOf, type ResponseLike, type StreamLike } from "./fetch-like.ts";

/** Bodies up to this size are read to their end, which lets the connection be used again; longer ones are cancelled. */
const WORTH_READING_BYTES = 64 * 1024;

/**
 * Gets rid of a response that nobody will read, so that it holds no connection: reads a short body to its end, cancels a
 * long one. Returns at once; call the result to cancel what has not arrived by then.
 */
export function discard(response: ResponseLike): () => void {
  const stream = freeStreamOf(response);
  if (stream === undefined) return () => {};
  const declared = Number(response.headers.get("content-length") ?? 0);
  if (declared > WORTH_READING_BYTES || typeof stream.getReader !== "function") {
    cancel(stream);
    return () => {};
  }
  const reader = stream.getReader();
  let open = true;
  const stop = (): void => {
    if (open) cancel(reader);
    open = false;
  };
  void drain();
  return stop;

  async function drain(): Promise<void> {
    try {
      for (let seen = 0; open;) {
        const { done, value } = await reader.read();
        if (done) open = false;
        seen += (value as Uint8Array | undefined)?.byteLength ?? 0;
        if (seen > WORTH_READING_BYTES) stop();
      }
    } catch {
      // The connection broke: nothing is left to get rid of.
      open = false;
    }
  }
}

/** Cancels a stream or reader. What goes wrong in that concerns nobody. */
export function cancel(stream: Pick<StreamLike, "cancel">): void {
  try {
    stream.cancel?.().catch(() => {});
  } catch {
    // A stream that cannot be cancelled any more is as good as cancelled.
  }
}
