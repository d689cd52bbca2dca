/**
 * The response as the HTTP contract needs it, over whatever the framework offers.
 *
 * @typeParam Res - the framework's own response.
 */
export interface ResponsePort<Res = unknown> {
  /** Whether the head has gone out or the connection is gone; then nothing may be written. */
  readonly closed: boolean;
  /** Whether the head has gone out: then no header can be set. */
  readonly headSent: boolean;
  /** HTTP/1 with a request body that nobody has read: after a rejection the connection must close. See `hasUnreadBody`. */
  readonly unreadBody: boolean;
  /** The framework's response. */
  readonly response: Res;
  /** One header by lower-case name; several values joined by ", ". */
  getHeader(name: string): string | undefined;
  setHeader(name: string, value: string): void;
  removeHeader(name: string): void;
  /**
   * Calls back exactly once, when the response was sent in full or the connection closed before.
   * At once (in a microtask) when that has happened already.
   */
  onEnd(listener: EndListener): void;
}

/**
 * @param status - `undefined` when no head was sent before the connection closed.
 * @param aborted - the connection closed before the response was complete.
 */
export type EndListener = (status: number | undefined, aborted: boolean) => void;
