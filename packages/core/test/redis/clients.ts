import { once } from "node:events";
import type { Cluster, Redis } from "ioredis";

/** Waits until an ioredis client may be used. */
export async function ready<T extends Redis | Cluster>(client: T): Promise<T> {
  if (client.status !== "ready") await once(client, "ready");
  return client;
}
