/** Where a format keeps the fields that every command asks for: names of columns, or paths into JSON. Several are tried in order. */
export interface FieldMap {
  readonly time: readonly string[];
  readonly ip: readonly string[];
  readonly user: readonly string[];
  readonly method: readonly string[];
  readonly path: readonly string[];
  readonly status: readonly string[];
  readonly agent: readonly string[];
}

/** A way of writing logs that many systems share. */
export interface Preset {
  readonly format: "json" | "csv";
  readonly fields: FieldMap;
  /** CSV: what separates columns. @defaultValue `,` */
  readonly delimiter?: string;
  /** CSV: names of the columns where the file has no header line. */
  readonly columns?: readonly string[];
}

const ALB_COLUMNS =
  "type time elb client:port target:port request_processing_time target_processing_time response_processing_time " +
  "elb_status_code target_status_code received_bytes sent_bytes request user_agent ssl_cipher ssl_protocol " +
  "target_group_arn trace_id domain_name chosen_cert_arn matched_rule_priority request_creation_time " +
  "actions_executed redirect_url error_reason";

/** What is tried when no preset was named: the spellings of the presets and other common ones. */
export const USUAL_FIELDS: FieldMap = {
  time: ["time", "timestamp", "@timestamp", "ts", "time_iso8601", "msec", "date", "datetime", "StartUTC", "timeMs"],
  ip: [
    "ip",
    "client_ip",
    "clientIp",
    "remote_addr",
    "remoteAddress",
    "remote_ip",
    "req.remoteAddress",
    "request.client_ip",
    "request.remote_ip",
    "ClientHost",
    "httpRequest.remoteIp",
    "client",
    "address",
    "host",
  ],
  user: ["user", "user_id", "userId", "remote_user", "req.user.id", "sub", "account", "ClientUsername"],
  method: [
    "method",
    "request_method",
    "req.method",
    "request.method",
    "RequestMethod",
    "httpRequest.requestMethod",
    "verb",
  ],
  path: [
    "path",
    "url",
    "uri",
    "request_uri",
    "req.url",
    "request.uri",
    "RequestPath",
    "httpRequest.requestUrl",
    "request",
  ],
  status: ["status", "statusCode", "status_code", "res.statusCode", "DownstreamStatus", "httpRequest.status"],
  agent: ["agent", "user_agent", "userAgent", "http_user_agent", "req.headers.user-agent", "httpRequest.userAgent"],
};

export const PRESETS: Readonly<Record<string, Preset>> = {
  pino: json({
    time: ["time"],
    ip: ["req.remoteAddress"],
    user: ["req.user.id", "user"],
    method: ["req.method"],
    path: ["req.url"],
    status: ["res.statusCode"],
    agent: ["req.headers.user-agent"],
  }),
  caddy: json({
    time: ["ts"],
    ip: ["request.client_ip", "request.remote_ip"],
    user: ["user_id"],
    method: ["request.method"],
    path: ["request.uri"],
    status: ["status"],
    agent: ["request.headers.User-Agent.0"],
  }),
  traefik: json({
    time: ["StartUTC", "time"],
    ip: ["ClientHost"],
    user: ["ClientUsername"],
    method: ["RequestMethod"],
    path: ["RequestPath"],
    status: ["DownstreamStatus"],
    agent: ["request_User-Agent"],
  }),
  gcp: json({
    time: ["timestamp"],
    ip: ["httpRequest.remoteIp"],
    user: ["jsonPayload.user"],
    method: ["httpRequest.requestMethod"],
    path: ["httpRequest.requestUrl"],
    status: ["httpRequest.status"],
    agent: ["httpRequest.userAgent"],
  }),
  alb: {
    format: "csv",
    delimiter: " ",
    columns: ALB_COLUMNS.split(" "),
    fields: {
      time: ["request_creation_time", "time"],
      ip: ["client:port"],
      user: [],
      method: ["request"],
      path: ["request"],
      status: ["elb_status_code"],
      agent: ["user_agent"],
    },
  },
};

function json(fields: FieldMap): Preset {
  return { format: "json", fields };
}

/** The method in what may be a whole request line, `GET /a HTTP/1.1`. */
export function methodOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : /^[A-Za-z]{3,20}(?= |$)/.exec(text)?.[0].toUpperCase();
}

/** The path with its query in what may be a whole request line or an absolute URL. */
export function pathOf(text: string | undefined): string | undefined {
  const target = text === undefined ? undefined : (/^[A-Za-z]{3,20} (\S+)/.exec(text)?.[1] ?? text);
  return target === undefined ? undefined : (/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/i.exec(target)?.[1] ?? target);
}
