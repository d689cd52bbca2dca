import { freePort } from "./free-port.ts";
import { startServer, waitFor, type RedisServer } from "./server.ts";

/** A real Redis Cluster on 127.0.0.1. */
export interface RedisCluster {
  /** In the order of their slots. */
  readonly masters: readonly RedisServer[];
  readonly replicas: readonly RedisServer[];
  stop(): Promise<void>;
}

const SLOTS = 16_384;

/** Starts a Cluster and resolves when every node agrees that it is up: about two seconds. */
export async function startCluster(
  options: { masters?: number; replicasPerMaster?: number; args?: readonly string[] } = {},
): Promise<RedisCluster> {
  const { masters: count = 3, replicasPerMaster = 0, args = [] } = options;
  const nodes = await Promise.all(
    Array.from({ length: count * (1 + replicasPerMaster) }, async () => {
      const cluster = [
        "--cluster-enabled",
        "yes",
        "--cluster-node-timeout",
        "1000",
        "--cluster-port",
        `${await freePort()}`,
      ];
      return startServer({ args: [...cluster, ...args] });
    }),
  );
  const masters = nodes.slice(0, count);
  const replicas = nodes.slice(count);
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.stop())));
  try {
    await join(masters, replicas);
  } catch (error) {
    await stop();
    throw error;
  }
  return { masters, replicas, stop };
}

async function join(masters: readonly RedisServer[], replicas: readonly RedisServer[]): Promise<void> {
  const first = masters[0] as RedisServer;
  const busPort = (await first.cli("CONFIG", "GET", "cluster-port")).split("\n")[1] as string;
  const bound = (index: number): number => Math.round((index * SLOTS) / masters.length);

  await Promise.all(
    masters.map(async (node, index) => {
      await node.cli("CLUSTER", "SET-CONFIG-EPOCH", `${index + 1}`);
      await node.cli("CLUSTER", "ADDSLOTSRANGE", `${bound(index)}`, `${bound(index + 1) - 1}`);
    }),
  );
  const nodes = [...masters, ...replicas];
  for (const node of nodes.slice(1)) await node.cli("CLUSTER", "MEET", first.host, `${first.port}`, busPort);
  for (const [index, replica] of replicas.entries()) {
    const id = await (masters[index % masters.length] as RedisServer).cli("CLUSTER", "MYID");
    await waitFor("the replica knows its master", async () => (await replica.cli("CLUSTER", "NODES")).includes(id));
    await waitFor("the replica follows", async () => (await replica.cli("CLUSTER", "REPLICATE", id)) === "OK");
  }
  for (const node of nodes) {
    await waitFor("the cluster is up", async () => {
      const info = await node.cli("CLUSTER", "INFO");
      return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${nodes.length}`);
    });
  }
  for (const replica of replicas) {
    await waitFor("the replica is in sync", async () =>
      (await replica.cli("INFO", "replication")).includes("master_link_status:up"),
    );
  }
}
