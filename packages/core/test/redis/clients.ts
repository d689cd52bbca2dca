import type { EventEmitter } from "node:events";
import { Cluster, Redis } from "ioredis";
import { Cluster as Cluster5, Redis as Redis5 } from "ioredis5";
import { createClient, createCluster } from "redis";
import { createClient as createClient5, createCluster as createCluster5 } from "redis5";
import type { RedisClient } from "../../src/redis/index.ts";

/** A client that is ready, and what ends it. */
export interface Connected {
  readonly client: RedisClient;
  isReady(): boolean;
  close(): Promise<void>;
}

/** Waits until an ioredis client may be used. */
export async function ready<T extends Redis | Cluster | Redis5 | Cluster5>(client: T): Promise<T> {
  const emitter: EventEmitter = client;
  emitter.on("error", () => {});
  // Not node:events' once(), which fails on an "error": a Cluster that is busy yet is asked again by the client.
  if (client.status !== "ready") await new Promise<void>((resolve) => emitter.once("ready", resolve));
  return client;
}

async function viaIoredis(client: Redis | Cluster | Redis5 | Cluster5): Promise<Connected> {
  await ready(client);
  return { client, isReady: () => client.status === "ready", close: async () => client.disconnect() };
}

async function viaNodeRedis(client: {
  on(event: "error", listener: () => void): unknown;
  connect(): Promise<unknown>;
  destroy(): void;
  readonly isReady?: boolean;
}): Promise<Connected> {
  client.on("error", () => {});
  await client.connect();
  return {
    client: client as unknown as RedisClient,
    isReady: () => client.isReady !== false,
    close: async () => client.destroy(),
  };
}

/**
 * For clients whose servers die in a test. Closed meanwhile, one of node-redis still sits out its pause before the next
 * attempt, and one of ioredis the time that it leaves a connection to end, be it gone already: some seconds each.
 */
export const IMPATIENT = {
  ioredis: { disconnectTimeout: 50 },
  nodeRedis: { socket: { reconnectStrategy: 50 } },
} as const;

/** Connects to one server, by name of the library. */
export const SINGLE: Readonly<Record<string, (port: number) => Promise<Connected>>> = {
  "ioredis 6": (port) => viaIoredis(new Redis(port)),
  "ioredis 5": (port) => viaIoredis(new Redis5(port)),
  "node-redis 6": (port) => viaNodeRedis(createClient({ url: `redis://127.0.0.1:${port}` })),
  "node-redis 5": (port) => viaNodeRedis(createClient5({ url: `redis://127.0.0.1:${port}` })),
};

/** Connects to a Cluster, by name of the library. */
export const CLUSTER: Readonly<Record<string, (ports: readonly number[]) => Promise<Connected>>> = {
  "ioredis 6": (ports) => viaIoredis(new Cluster(nodesAt(ports), { redisOptions: IMPATIENT.ioredis })),
  "ioredis 5": (ports) => viaIoredis(new Cluster5(nodesAt(ports), { redisOptions: IMPATIENT.ioredis })),
  "node-redis 6": (ports) => viaNodeRedis(createCluster({ rootNodes: urlsOf(ports), defaults: IMPATIENT.nodeRedis })),
  "node-redis 5": (ports) => viaNodeRedis(createCluster5({ rootNodes: urlsOf(ports), defaults: IMPATIENT.nodeRedis })),
};

function nodesAt(ports: readonly number[]): { host: string; port: number }[] {
  return ports.map((port) => ({ host: "127.0.0.1", port }));
}

function urlsOf(ports: readonly number[]): { url: string }[] {
  return ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }));
}
