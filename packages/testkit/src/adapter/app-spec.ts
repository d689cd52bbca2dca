import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import type { Server } from "node:net";
import type { Readable } from "node:stream";
import type { Limiter } from "@aforo/core";
import type { RateLimitOptions, RequestHandle } from "@aforo/core/adapter";

/** One small app, told without any framework, that each framework is asked to serve. */
export interface AppSpec {
  /** The limiter in front of every route. */
  readonly limit: LimitOptions;
  /** Another limiter behind it. */
  readonly second?: LimitOptions;
  readonly routes: readonly RouteSpec[];
  /** Runs before the limiter, such as an authentication. */
  readonly before?: (call: EarlyCall) => void | Promise<void>;
  /** The app's own error handling; left out, the framework's. */
  readonly onError?: (error: unknown) => Reply;
  /** Trusts one proxy, the peer, by the framework's own setting. */
  readonly oneProxy?: boolean;
  /** Serves HTTP/2 without TLS. */
  readonly http2?: boolean;
}

/** Options in no framework's terms: stories look at requests through the request view alone. */
export type LimitOptions = RateLimitOptions;

export interface RouteSpec {
  /** @defaultValue `"GET"` */
  readonly method?: "GET" | "POST" | "OPTIONS";
  readonly path: string;
  /** Declares it in a nested router that is mounted there. */
  readonly prefix?: string;
  /** The cost class, declared in the limiter's options. */
  readonly class?: string;
  /** Meets the limiter in the nested router and at the route once more; goes with `class`. */
  readonly again?: boolean;
  readonly handle: (call: Call) => Reply | Promise<Reply>;
}

/** What runs before the limiter is given. */
export interface EarlyCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Sets a header as an application of this framework does. */
  setHeader(name: string, value: string): void;
  /** Puts the user where the framework's authentications put it. */
  setUser(user: { readonly id: string }): void;
}

/** What a handler is given. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What the adapter put on the request. */
  readonly rateLimit: RequestHandle;
}

/** What a handler answers: text, or a whole response. */
export type Reply =
  | string
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string | Readable };

/** A served app. */
export interface Mounted {
  /** Ready, but not listening. */
  readonly server: HttpServer | Server;
  /** The first limiter, as the adapter offers it. */
  readonly limiter: Limiter<boolean, never>;
  /** Frees what the framework holds, after the server was closed. */
  close?(): Promise<void> | void;
}

/** What a framework can't do is no story for it. */
export interface Abilities {
  /** Serves HTTP/2 through Node's compatibility layer. */
  readonly http2: boolean;
  /** The limiter sees requests that no route matches. */
  readonly seesNotFound: boolean;
  /** The limiter knows a 404 before it decides. */
  readonly knowsNotFound: boolean;
  /** The limiter runs before bodies are read. */
  readonly beforeBody: boolean;
  /** The matched route is known where the limiter first meets a request. */
  readonly knowsRoute: boolean;
}

/** How an adapter serves an app. */
export type Mount = (spec: AppSpec) => Promise<Mounted>;
