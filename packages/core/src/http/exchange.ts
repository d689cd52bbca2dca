/**
 * The one small view of a request that key extractors, limit functions and the HTTP contract see.
 * An adapter builds it; members may be computed when asked for.
 *
 * @typeParam Raw - the framework's own request.
 */
export interface RequestView<Raw = unknown> {
  /** Upper case. */
  readonly method: string;
  /** Path without the query string, as received. */
  readonly path: string;
  /** The matched route pattern, such as `/users/:id`; `undefined` where none matched or it is not known yet. Never the raw path. */
  readonly route: string | undefined;
  /** One header by lower-case name; repeated ones joined by ", ". */
  header(name: string): string | undefined;
  /** The client's address by the framework's own proxy trust; `undefined` on unix sockets and vanished connections. */
  readonly ip: string | undefined;
  /** The address of the socket's other end. */
  readonly peer: string | undefined;
  /** The user that an authentication put on the request, where the framework has a customary place for it. */
  readonly user: unknown;
  /** The framework's request. */
  readonly raw: Raw;
}

/** The response as the HTTP contract needs it, over whatever the framework offers. */
export interface ResponsePort {
  /** Whether the head has gone out or the connection is gone; then nothing may be written. */
  readonly closed: boolean;
  getHeader(name: string): string | undefined;
  setHeader(name: string, value: string): void;
  removeHeader(name: string): void;
  /**
   * Calls back exactly once, when the response was sent in full or the connection closed before.
   * At once (in a microtask) when that has happened already.
   */
  onEnd(listener: (status: number, aborted: boolean) => void): void;
}
