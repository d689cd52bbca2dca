import { startServer, type RedisServer } from "./server.ts";

export { startCluster, type RedisCluster } from "./cluster.ts";
export { startFaultProxy, type FaultProxy, type ProxyFault } from "./fault-proxy.ts";
export { freePort } from "./free-port.ts";
export { startSentinel, type RedisSentinel } from "./sentinel.ts";
export { waitFor, type RedisServer } from "./server.ts";

/** Starts one `redis-server` on a free port; `args` such as `["--maxmemory", "2mb"]`. */
export function startRedis(args: readonly string[] = []): Promise<RedisServer> {
  return startServer({ args });
}
