import { AforoClientError } from "../errors.ts";
import { LONGEST_TIMER_MS } from "../time.ts";
import type { AbortRelay, Connection } from "./abort-relay.ts";
import { freeStreamOf, type ResponseLike } from "./fetch-like.ts";

/** One signal for all that can end a call: the caller's signal, the client's, the deadline. */
export class CallScope {
  readonly #controller = new AbortController();
  readonly #connections: Connection[];
  readonly #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(relay: AbortRelay, sources: ReadonlyArray<AbortSignal | undefined>, deadlineMs: number) {
    this.#connections = sources.flatMap((source) =>
      source === undefined ? [] : [relay.connect(source, this.#controller)],
    );
    if (deadlineMs <= LONGEST_TIMER_MS && !this.signal.aborted) {
      this.#deadline = setTimeout(() => this.#controller.abort(deadlineError(deadlineMs)), deadlineMs);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The call has failed or its body has been read: nothing can be aborted any more. */
  close(): void {
    clearTimeout(this.#deadline);
    for (const connection of this.#connections.splice(0)) connection.release();
  }

  /**
   * The response goes to the caller. The deadline is over, but the signals go on to abort the body, for as long as the
   * response or its body is held by anyone.
   */
  handOver(response: ResponseLike): void {
    const body = freeStreamOf(response);
    if (body === undefined) {
      this.close();
      return;
    }
    clearTimeout(this.#deadline);
    for (const connection of this.#connections) {
      connection.keepWith(response);
      connection.keepWith(body);
    }
  }
}

/** The error of a call that took too long. */
function deadlineError(deadlineMs: number): AforoClientError {
  return new AforoClientError(
    "ERR_AFORO_CLIENT_DEADLINE",
    `the call was not answered within "deadlineMs" of ${deadlineMs} ms`,
  );
}
