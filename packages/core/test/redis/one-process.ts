import { Cluster, Redis } from "ioredis";
import type { ResolvedPolicy } from "../../src/domain/resolved-policy.ts";
import { redisStore } from "../../src/redis/index.ts";

/** What a process of the concurrency tests is told to do: so many requests at once. */
export interface Task {
  readonly policy: ResolvedPolicy;
  readonly stateKey: string;
  readonly requests: number;
}

const [kind, ...ports] = process.argv.slice(2);
const nodes = ports.map((port) => ({ host: "127.0.0.1", port: Number(port) }));
const client = kind === "cluster" ? new Cluster(nodes) : new Redis(nodes[0]?.port as number);
const store = redisStore(client);

client.on("ready", () => process.send?.("ready"));
process.on("message", async ({ policy, stateKey, requests }: Task) => {
  const asked = Array.from({ length: requests }, () => store.consume([{ policy, stateKey, cost: 1 }]));
  const replies = await Promise.all(asked);
  process.send?.(replies.filter(({ allowed }) => allowed).length);
});
