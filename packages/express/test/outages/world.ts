import {
  startCluster,
  startFaultProxy,
  startRedis,
  startSentinel,
  type FaultProxy,
  type RedisServer,
} from "@aforo/testkit/redis";
import { Cluster, Redis } from "ioredis";

/** Real servers, and clients of them as applications have them. */
export interface World {
  /** A client of its own for each limiter. */
  connect(): Redis | Cluster;
  /** The server that gets broken. */
  readonly server: RedisServer;
  /** In front of it; sits between only where there is one server. */
  readonly proxy: FaultProxy | undefined;
  readonly replica: RedisServer | undefined;
  stop(): Promise<void>;
}

/** One server behind a proxy that can misbehave. */
export async function single(args: readonly string[] = []): Promise<World> {
  const server = await startRedis(args);
  const proxy = await startFaultProxy(server.port);
  return withClients(
    { server, proxy, replica: undefined },
    () => quiet(new Redis(proxy.port, proxy.host)),
    async () => {
      await proxy.stop();
      await server.stop();
    },
  );
}

/** A master with a replica that a Sentinel promotes. */
export async function sentinel(): Promise<World> {
  const group = await startSentinel();
  const { host, port } = group.sentinel;
  return withClients(
    { server: group.master, proxy: undefined, replica: group.replica },
    () => quiet(new Redis({ sentinels: [{ host, port }], name: group.name })),
    group.stop,
  );
}

/** Three masters with a replica each. */
export async function cluster(): Promise<World> {
  const group = await startCluster({ masters: 3, replicasPerMaster: 1 });
  const [server] = group.masters;
  return withClients(
    { server: server as RedisServer, proxy: undefined, replica: group.replicas[0] },
    () => quiet(new Cluster(group.masters.map(({ host, port }) => ({ host, port })))),
    group.stop,
  );
}

function withClients(
  servers: Pick<World, "server" | "proxy" | "replica">,
  connect: () => Redis | Cluster,
  stopServers: () => Promise<void>,
): World {
  const clients: (Redis | Cluster)[] = [];
  return {
    ...servers,
    connect() {
      const client = connect();
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) client.disconnect();
      await stopServers();
    },
  };
}

/** An application listens to its client's errors; without a listener ioredis prints each. */
function quiet<C extends Redis | Cluster>(client: C): C {
  client.on("error", () => {});
  return client;
}
