import { ConfigError, got } from "../../domain/errors.ts";
import type { RedisCommands } from "./commands.ts";
import { ioredisCommands, isIoredis, type IoredisClient } from "./ioredis.ts";
import { isNodeRedis, nodeRedisCommands, type NodeRedisClient } from "./node-redis.ts";

/** What {@link redisStore} takes: a client of ioredis or node-redis, or whatever has {@link RedisCommands}. */
export type RedisClient = IoredisClient | NodeRedisClient | RedisCommands;

/**
 * The commands of a client, which is recognised by its shape: no client library is loaded for it.
 *
 * @param slotOf - the Cluster slot of a complete key.
 */
export function commandsOf(client: unknown, slotOf: (key: string) => number): RedisCommands {
  if (typeof client === "object" && client !== null) {
    if (isCommands(client)) return client;
    if (isIoredis(client)) return ioredisCommands(client, slotOf);
    if (isNodeRedis(client)) return nodeRedisCommands(client, slotOf);
  }
  throw new ConfigError(
    "ERR_AFORO_INVALID_OPTION",
    `redisStore needs a client of ioredis or node-redis, or an object with the commands "evalsha", "eval" and "ready", ${got(client)}`,
  );
}

function isCommands(client: object): client is RedisCommands {
  const commands = client as Partial<Record<keyof RedisCommands, unknown>>;
  return (["evalsha", "eval", "ready"] as const).every((name) => typeof commands[name] === "function");
}
