import { AforoError, StoreError, type ErrorCode } from "../domain/errors.ts";
import type { Script } from "./script.ts";

/** What the first word of a server's error means to a caller. */
const CODES: ReadonlyMap<string, ErrorCode> = new Map<string, ErrorCode>([
  ["READONLY", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["LOADING", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["MASTERDOWN", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["CLUSTERDOWN", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["TRYAGAIN", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["MOVED", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["ASK", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["BUSY", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["MISCONF", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["NOREPLICAS", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["UNBLOCKED", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["NOSCRIPT", "ERR_AFORO_STORE_UNAVAILABLE"],
  ["OOM", "ERR_AFORO_STORE_MEMORY"],
  ["NOPERM", "ERR_AFORO_STORE_PERMISSION"],
  ["NOAUTH", "ERR_AFORO_STORE_PERMISSION"],
  ["WRONGPASS", "ERR_AFORO_STORE_PERMISSION"],
  ["WRONGTYPE", "ERR_AFORO_STORE_REPLY"],
  ["CROSSSLOT", "ERR_AFORO_STORE_REPLY"],
  ["ERR", "ERR_AFORO_STORE_REPLY"],
]);

/**
 * The code that stands for a server's error. The word may be wrapped, as in `ERR Error running script
 * (call to f_…): @user_script:7: -READONLY You can't write …`, or be told by the sentence alone.
 */
function codeOf(message: string): ErrorCode | undefined {
  const wrapped = /^ERR .*?[-:] ?-?([A-Z]{3,}) /.exec(message)?.[1];
  const known = wrapped === undefined ? undefined : CODES.get(wrapped);
  if (known !== undefined) return known;
  if (message.includes("The user executing the script")) return "ERR_AFORO_STORE_PERMISSION";
  return CODES.get(/^[A-Z]+/.exec(message)?.[0] ?? "");
}

/** Whether the server has lost the script, and so has executed nothing. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}

/** The typed error for whatever a client rejected with; what is not the server's word is the connection's. */
export function storeErrorOf(cause: unknown, script: Script | undefined): AforoError {
  if (cause instanceof AforoError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(message) ?? "ERR_AFORO_STORE_UNAVAILABLE";
  const advice = code === "ERR_AFORO_STORE_PERMISSION" ? permissionAdvice(message, script) : "";
  return new StoreError(code, `Redis: ${message}${advice}`, { cause });
}

/** Inside a script the server names only the line at which it refused. */
function permissionAdvice(message: string, script: Script | undefined): string {
  const line = /@user_script:(\d+)/.exec(message)?.[1];
  const text = line === undefined ? undefined : script?.lua.split("\n")[Number(line) - 1];
  const command = /call\('([A-Z]+)'/.exec(text ?? "");
  return `${command ? ` (the command is ${command[1]})` : ""}; the user needs at least: ${MINIMUM_ACL}`;
}

/**
 * What the user of the client must be allowed, as `ACL SETUSER` takes it, beside the keys (`~rl:*`) and
 * what the client itself sends (`+hello +client +info +ping`, for a Cluster `+cluster|slots +cluster|shards`).
 */
export const MINIMUM_ACL: string =
  "+evalsha +eval +time +get +set +del +incrby +decrby +pttl +pexpire +getrange +setrange +append +strlen";
