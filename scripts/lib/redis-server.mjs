import { requireTools } from "./tools.mjs";

/** Makes sure that there is a real `redis-server` to run against. */
export function requireRedisServer() {
  return requireTools("redis-server");
}
