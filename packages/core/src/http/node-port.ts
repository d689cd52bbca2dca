import type { IncomingMessage, ServerResponse } from "node:http";
import type { EndListener, ResponsePort } from "./response-port.ts";

/** {@link ResponsePort} over Node's own response, HTTP/1 and HTTP/2 alike. Adapters extend it where their framework differs. */
export class NodeResponsePort<Res = ServerResponse> implements ResponsePort<Res> {
  readonly response: Res;
  protected readonly req: IncomingMessage;
  protected readonly res: ServerResponse;

  constructor(req: IncomingMessage, res: ServerResponse, response: Res) {
    this.req = req;
    this.res = res;
    this.response = response;
  }

  get closed(): boolean {
    return this.res.headersSent || this.res.destroyed || this.res.writableEnded;
  }

  get headSent(): boolean {
    return this.res.headersSent;
  }

  get unreadBody(): boolean {
    return hasUnreadBody(this.req);
  }

  getHeader(name: string): string | undefined {
    return headerText(this.res.getHeader(name));
  }

  setHeader(name: string, value: string): void {
    this.res.setHeader(name, value);
  }

  removeHeader(name: string): void {
    this.res.removeHeader(name);
  }

  onEnd(listener: EndListener): void {
    onResponseEnd(this.res, listener);
  }
}

/** One text for a header that may have several values. */
export function headerText(value: number | string | readonly string[] | undefined): string | undefined {
  if (typeof value === "string" || value === undefined) return value;
  return typeof value === "number" ? String(value) : value.join(", ");
}

/** Whether an HTTP/1 request announced a body of which not all has arrived: its connection cannot be used again without reading it. */
export function hasUnreadBody(req: IncomingMessage): boolean {
  if (req.complete || req.httpVersionMajor !== 1) return false;
  const length = req.headers["content-length"];
  return req.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Calls back exactly once when a response was sent in full or its connection closed before; in a microtask when that is past. */
export function onResponseEnd(res: ServerResponse, listener: EndListener): void {
  const end = (): void => {
    res.off("finish", end);
    res.off("close", end);
    listener(res.headersSent ? res.statusCode : undefined, !res.writableFinished);
  };
  if (res.writableFinished || res.destroyed || res.closed) queueMicrotask(end);
  else res.on("finish", end).on("close", end);
}
