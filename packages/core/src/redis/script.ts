/** A Lua script and what the server calls it. */
export interface Script {
  /** Of `lua`, in hexadecimal. */
  readonly sha1: string;
  readonly lua: string;
}
