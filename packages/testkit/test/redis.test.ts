import { startCluster, startRedis, startSentinel, waitFor } from "../src/redis/index.ts";

test("a server starts empty, restarts empty on the same port, and is gone when stopped", async () => {
  const server = await startRedis();
  await server.cli("SET", "a", "1");
  const { pid, port } = server;
  await server.restart();
  expect(server.port).toBe(port);
  expect(server.pid).not.toBe(pid);
  expect(await server.cli("DBSIZE")).toBe("0");
  await server.stop();
  await server.stop();
  await expect(server.cli("PING")).rejects.toThrow("refused");
});

test("a cluster serves every slot", async () => {
  const cluster = await startCluster({ masters: 3, replicasPerMaster: 1 });
  try {
    expect(await cluster.masters[1]?.cli("-c", "SET", "a", "1")).toBe("OK");
    expect(cluster.replicas).toHaveLength(3);
  } finally {
    await cluster.stop();
  }
}, 30_000);

test("a Sentinel promotes the replica when the master dies", async () => {
  const { name, master, replica, sentinel, stop } = await startSentinel();
  try {
    await master.kill();
    await waitFor("the replica is master", async () => (await replica.cli("ROLE")).startsWith("master"));
    await waitFor("the Sentinel says so", async () => {
      return (await sentinel.cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)).includes(`${replica.port}`);
    });
  } finally {
    await stop();
  }
}, 30_000);
