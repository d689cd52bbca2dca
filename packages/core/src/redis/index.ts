export type { RedisCommands } from "./commands/commands.ts";
export type { IoredisClient } from "./commands/ioredis.ts";
export type { NodeRedisClient } from "./commands/node-redis.ts";
export type { RedisClient } from "./commands/recognise.ts";
export { redisStore, type RedisStoreOptions } from "./redis-store.ts";
export { MINIMUM_ACL } from "./store-errors.ts";
