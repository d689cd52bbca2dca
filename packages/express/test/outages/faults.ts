import { waitFor } from "@aforo/testkit/redis";
import { cluster, sentinel, single, type World } from "./world.ts";

/** One way for Redis to fail, and to be well again. */
export interface Fault {
  readonly name: string;
  world(): Promise<World>;
  inject(world: World): Promise<unknown>;
  heal(world: World): Promise<unknown>;
  /** The store comes back without what it had counted. */
  readonly forgets?: boolean;
  /** The store decides on all the while. */
  readonly harmless?: boolean;
}

const nothing = (): Promise<void> => Promise.resolve();
const OLD = "+@all";

export const FAULTS: readonly Fault[] = [
  {
    name: "refused",
    world: single,
    inject: ({ proxy }) => must(proxy).set("refuse"),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "SIGKILL",
    world: single,
    inject: ({ server }) => server.kill(),
    heal: ({ server }) => server.restart(),
    forgets: true,
  },
  {
    name: "SIGSTOP",
    world: single,
    inject: async ({ server }) => server.signal("SIGSTOP"),
    heal: async ({ server }) => server.signal("SIGCONT"),
  },
  {
    name: "CLIENT PAUSE",
    world: single,
    inject: ({ server }) => server.cli("CLIENT", "PAUSE", "1500", "ALL"),
    heal: nothing,
  },
  {
    name: "500 ms latency",
    world: single,
    inject: ({ proxy }) => must(proxy).set({ latencyMs: 500 }),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "half-open",
    world: single,
    inject: ({ proxy }) => must(proxy).set("stall"),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "replies swallowed",
    world: single,
    inject: ({ proxy }) => must(proxy).set("swallow-replies"),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "cut in mid-reply",
    world: single,
    inject: ({ proxy }) => must(proxy).set("cut-reply"),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "corrupt reply",
    world: single,
    inject: ({ proxy }) => must(proxy).set("corrupt-reply"),
    heal: ({ proxy }) => must(proxy).set("none"),
  },
  {
    name: "SCRIPT FLUSH",
    world: single,
    inject: ({ server }) => server.cli("SCRIPT", "FLUSH"),
    heal: nothing,
    harmless: true,
  },
  {
    name: "demoted to replica",
    world: single,
    inject: ({ server }) => server.cli("REPLICAOF", "127.0.0.1", "1"),
    heal: ({ server }) => server.cli("REPLICAOF", "NO", "ONE"),
  },
  {
    name: "Sentinel failover",
    world: sentinel,
    inject: ({ server }) => server.kill(),
    heal: ({ replica }) =>
      waitFor("the replica is master", async () => (await must(replica).cli("ROLE")).startsWith("master")),
    forgets: true,
  },
  {
    name: "Cluster failover",
    world: cluster,
    inject: ({ server }) => server.kill(),
    heal: ({ replica }) =>
      waitFor("the replica is master", async () => (await must(replica).cli("ROLE")).startsWith("master")),
    forgets: true,
  },
  {
    name: "out of memory",
    world: single,
    inject: ({ server }) => server.cli("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction"),
    heal: ({ server }) => server.cli("CONFIG", "SET", "maxmemory", "0"),
  },
  {
    name: "eviction",
    world: single,
    inject: ({ server }) => server.cli("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "allkeys-random"),
    heal: ({ server }) => server.cli("CONFIG", "SET", "maxmemory", "0"),
    forgets: true,
  },
  {
    name: "ACL change",
    world: single,
    inject: ({ server }) => server.cli("ACL", "SETUSER", "default", "-@scripting"),
    heal: ({ server }) => server.cli("ACL", "SETUSER", "default", OLD),
  },
  {
    name: "restart, data gone",
    world: single,
    inject: ({ server }) => server.restart(),
    heal: nothing,
    forgets: true,
  },
];

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("this world has no such server");
  return value;
}
