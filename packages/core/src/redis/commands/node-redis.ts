import type { RedisCommands } from "./commands.ts";

/** A client, cluster or sentinel of node-redis 5 or 6, by what tells it from others. */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  evalSha(...args: never[]): unknown;
  sendCommand(...args: never[]): unknown;
}

interface NodeRedis {
  readonly isOpen: boolean;
  readonly isReady?: boolean;
  /** Of a cluster, by slot. */
  readonly slots?: readonly ({ readonly master: { readonly client?: unknown } } | undefined)[];
  /** Of a sentinel. */
  readonly getSentinelNode?: unknown;
  sendCommand(...args: unknown[]): Promise<unknown>;
}

export function isNodeRedis(client: object): client is NodeRedisClient {
  const { isOpen, evalSha, sendCommand } = client as Partial<Record<keyof NodeRedisClient, unknown>>;
  return typeof isOpen === "boolean" && typeof evalSha === "function" && typeof sendCommand === "function";
}

/** Speaks through node-redis, which rejects what had no reply when a connection broke. */
export function nodeRedisCommands(client: NodeRedisClient, slotOf: (key: string) => number): RedisCommands {
  const redis = client as unknown as NodeRedis;
  const clustered = Array.isArray(redis.slots);
  const sentinel = !clustered && redis.getSentinelNode !== undefined;

  const run = (name: string, script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> => {
    const command = [name, script, String(keys.length), ...keys, ...args];
    if (clustered) return redis.sendCommand(keys[0], false, command);
    return sentinel ? redis.sendCommand(false, command) : redis.sendCommand(command);
  };

  return {
    clustered,
    evalsha: (sha1, keys, args) => run("EVALSHA", sha1, keys, args),
    eval: (lua, keys, args) => run("EVAL", lua, keys, args),
    ready: clustered
      ? (key) => redis.isOpen && nodeReady(redis.slots?.[slotOf(key)]?.master.client)
      : () => redis.isReady === true,
  };
}

/** Nodes are connected to when first needed: no connection yet, or a promise of one, is no reason to wait. */
function nodeReady(node: unknown): boolean {
  const { isOpen, isReady } = (node ?? {}) as { readonly isOpen?: boolean; readonly isReady?: boolean };
  return isOpen !== true || isReady !== false;
}
