/** What an application may name as an identity: text, or a number that stands for its digits. */
export type Id = string | number | bigint;

/** The user that an authentication left on the request; read loosely, since each library leaves its own. */
export interface RequestUser {
  readonly id?: Id | null | undefined;
  readonly sub?: Id | null | undefined;
  readonly [property: string]: unknown;
}

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
  /** Whether the framework knows already that no route matches. Left out: it learns that too late, or never. */
  readonly notFound?: boolean;
  /** One header by lower-case name; repeated ones joined by ", ". */
  header(name: string): string | undefined;
  /** The client's address by the framework's own proxy trust; `undefined` on unix sockets and vanished connections. */
  readonly ip: string | undefined;
  /** The address of the socket's other end. */
  readonly peer: string | undefined;
  /**
   * Whom the framework believes about `X-Forwarded-For`: everybody, nobody, or the proxies it was told of. Read on
   * the first requests only, to warn of what makes addresses forgeable or all alike. Left out: not known.
   */
  readonly proxyTrust?: "all" | "none" | "some";
  /** The user that an authentication put on the request, where the framework has a customary place for it. */
  readonly user: RequestUser | undefined;
  /** The framework's request: one object for all middleware that a request passes, for charges are remembered on it. */
  readonly raw: Raw;
}
