import type { RequestView } from "@aforo/core/adapter";
import type { LogLine } from "../log/log-line.ts";

/** What an application's own functions find as `request.raw`: as much of a framework's request as a log tells. */
export interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly ip: string | undefined;
  readonly user: { readonly id: string; readonly sub: string } | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The line itself. */
  readonly line: LogLine;
}

/** The request of a log line as key extractors and limit functions see it in a server. */
export function logView(line: LogLine): RequestView<LoggedRequest> {
  const url = line.field("path") ?? "/";
  const path = url.replace(/[?#].*$/s, "");
  const method = line.field("method") ?? "GET";
  const ip = line.field("ip");
  const id = line.field("user");
  const user = id === undefined ? undefined : { id, sub: id };
  const header = (name: string): string | undefined => line.header(name);
  const headers = new Proxy<Record<string, string | undefined>>(
    {},
    { get: (_, name) => (typeof name === "string" ? header(name.toLowerCase()) : undefined) },
  );
  return {
    method,
    path,
    route: undefined,
    header,
    ip,
    peer: ip,
    user,
    raw: { method, url, path, ip, user, headers, line },
  };
}
