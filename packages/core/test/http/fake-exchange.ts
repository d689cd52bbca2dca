import type { EndListener, RequestUser, RequestView, ResponsePort } from "../../src/adapter.ts";

/** What a test says of a request; the rest is a plain GET from 203.0.113.1. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly route?: string;
  readonly notFound?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ip?: string | undefined;
  readonly peer?: string;
  readonly proxyTrust?: "all" | "none" | "some";
  readonly user?: RequestUser;
  readonly unreadBody?: boolean;
  /** What the application set on the response before. */
  readonly set?: Readonly<Record<string, string>>;
  /** The framework's own request. */
  readonly raw?: object;
}

/** A request and its response without a socket. */
export class FakeExchange implements RequestView<object>, ResponsePort<string> {
  readonly raw: object;
  readonly response = "the response";
  readonly method: string;
  readonly path: string;
  route: string | undefined;
  readonly notFound: boolean;
  readonly ip: string | undefined;
  readonly peer: string | undefined;
  readonly proxyTrust: "all" | "none" | "some";
  readonly user: RequestUser | undefined;
  readonly unreadBody: boolean;
  closed = false;
  /** Header lines by lower-case name. */
  readonly sent: Map<string, string> = new Map();
  readonly #headers: Readonly<Record<string, string>>;
  readonly #listeners: EndListener[] = [];

  constructor(asked: Asked = {}) {
    this.raw = asked.raw ?? {};
    this.method = asked.method ?? "GET";
    this.path = asked.path ?? "/";
    this.route = asked.route;
    this.notFound = asked.notFound ?? false;
    this.ip = "ip" in asked ? asked.ip : "203.0.113.1";
    this.peer = asked.peer ?? this.ip;
    this.proxyTrust = asked.proxyTrust ?? "none";
    this.user = asked.user;
    this.unreadBody = asked.unreadBody ?? false;
    this.#headers = asked.headers ?? {};
    for (const [name, value] of Object.entries(asked.set ?? {})) this.setHeader(name, value);
  }

  get headSent(): boolean {
    return this.closed;
  }

  header(name: string): string | undefined {
    return this.#headers[name];
  }

  getHeader(name: string): string | undefined {
    return this.sent.get(name.toLowerCase());
  }

  setHeader(name: string, value: string): void {
    if (this.closed) throw new Error(`${name} was set on a response that is closed`);
    this.sent.set(name.toLowerCase(), value);
  }

  removeHeader(name: string): void {
    this.sent.delete(name.toLowerCase());
  }

  onEnd(listener: EndListener): void {
    this.#listeners.push(listener);
  }

  /** How many wait for the end. */
  get watchers(): number {
    return this.#listeners.length;
  }

  /** Ends the response; without a status the client left before a head was sent. */
  end(status: number | undefined, aborted: boolean = status === undefined): void {
    this.closed = true;
    for (const listener of this.#listeners.splice(0)) listener(status, aborted);
  }
}
