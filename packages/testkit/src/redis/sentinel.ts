import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startServer, waitFor, type RedisServer } from "./server.ts";

/** A real master, its replica, and one Sentinel that is enough to fail over. */
export interface RedisSentinel {
  /** What clients ask the Sentinel for. */
  readonly name: string;
  readonly master: RedisServer;
  readonly replica: RedisServer;
  readonly sentinel: RedisServer;
  stop(): Promise<void>;
}

/** Resolves when the Sentinel knows the replica, so that a failover can begin at once. */
export async function startSentinel(): Promise<RedisSentinel> {
  const name = "aforo";
  const started: RedisServer[] = [];
  const keep = (server: RedisServer): RedisServer => {
    started.push(server);
    return server;
  };
  const stop = async (): Promise<void> => void (await Promise.all(started.map((server) => server.stop())));
  try {
    const master = keep(await startServer());
    const replica = keep(await startServer({ args: ["--replicaof", `${master.host} ${master.port}`] }));
    await waitFor("the replica is in sync", async () =>
      (await replica.cli("INFO", "replication")).includes("master_link_status:up"),
    );
    const sentinel = keep(await startServer({ configFile: (directory) => writeConfig(directory, name, master) }));
    await waitFor("the Sentinel knows the replica", async () =>
      (await sentinel.cli("SENTINEL", "REPLICAS", name)).includes(`${replica.port}`),
    );
    return { name, master, replica, sentinel, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function writeConfig(directory: string, name: string, master: RedisServer): Promise<string[]> {
  const file = join(directory, "sentinel.conf");
  const lines = [
    `sentinel monitor ${name} ${master.host} ${master.port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 2000`,
  ];
  await writeFile(file, `${lines.join("\n")}\n`);
  return [file, "--sentinel"];
}
