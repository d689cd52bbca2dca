/**
 * All that the store asks of a client: run a script, and say whether it can. Any client that can do
 * that will do; ioredis and node-redis are recognised and need no such object.
 *
 * @example Valkey GLIDE
 * ```ts
 * const commands: RedisCommands = {
 *   ready: () => true,
 *   evalsha: (sha1, keys, args) => glide.customCommand(["EVALSHA", sha1, `${keys.length}`, ...keys, ...args]),
 *   eval: (lua, keys, args) => glide.customCommand(["EVAL", lua, `${keys.length}`, ...keys, ...args]),
 * };
 * const store = redisStore(commands);
 * ```
 */
export interface RedisCommands {
  /**
   * Runs a script that the server knows already: `EVALSHA sha1 keys.length ...keys ...args`.
   *
   * Must send it once and never again by itself (a redirection of a Cluster is no repetition), and reject
   * with the server's own words, in which `NOSCRIPT` and other codes come first.
   *
   * @param keys - complete; nothing may be put before them.
   * @param deadline - `performance.now()` after which it should not be sent any more, `Infinity` for never.
   */
  evalsha(sha1: string, keys: readonly string[], args: readonly string[], deadline: number): Promise<unknown>;
  /** The same with the script's text: `EVAL lua keys.length ...keys ...args`. */
  eval(lua: string, keys: readonly string[], args: readonly string[], deadline: number): Promise<unknown>;
  /**
   * Whether a command for this key would go out at once. When it would be queued instead, the store
   * rejects with `ERR_AFORO_STORE_UNAVAILABLE` and sends nothing.
   */
  ready(key: string): boolean;
  /** Whether keys live in the slots of a Cluster: all keys of one call are then of one slot. @defaultValue false */
  readonly clustered?: boolean;
  /** Put before every key, in front of the store's own prefix. @defaultValue `""` */
  readonly keyPrefix?: string;
}
