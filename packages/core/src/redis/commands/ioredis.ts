import type { RedisCommands } from "./commands.ts";
import { bytesOf } from "./resp.ts";
import { sendOnce, type IoredisCommand } from "./send-once.ts";

/** A `Redis` or `Cluster` of ioredis 5 or 6, by what tells it from others. */
export interface IoredisClient {
  readonly status: string;
  evalsha(...args: never[]): unknown;
  sendCommand(...args: never[]): unknown;
}

/** What is used of it. */
interface Ioredis {
  readonly status: string;
  readonly isCluster?: boolean;
  readonly options?: { readonly keyPrefix?: unknown; readonly redisOptions?: { readonly keyPrefix?: unknown } };
  evalsha(...args: readonly unknown[]): unknown;
  sendCommand(command: IoredisCommand): unknown;
  readonly slots?: readonly (readonly string[] | undefined)[];
  readonly connectionPool?: { getInstanceByKey?(node: string): { readonly status: string } | undefined };
}

type CommandClass = new (name: string, args: readonly unknown[], options: object) => IoredisCommand;

/**
 * States of a Cluster's connection to one node in which commands go out at once, or as soon as the
 * connection that they open is up: nodes are connected to when first needed.
 */
const NODE_READY: ReadonlySet<string> = new Set(["ready", "wait", "connecting", "connect"]);

export function isIoredis(client: object): client is IoredisClient {
  const { status, evalsha, sendCommand } = client as Partial<Record<keyof IoredisClient, unknown>>;
  return typeof status === "string" && typeof evalsha === "function" && typeof sendCommand === "function";
}

/** Speaks through ioredis, beneath its commands: neither its key prefix nor its queues may be applied twice. */
export function ioredisCommands(client: IoredisClient, slotOf: (key: string) => number): RedisCommands {
  const redis = client as unknown as Ioredis;
  const clustered = redis.isCluster === true;
  const keyPrefix = textOf(redis.options?.keyPrefix ?? redis.options?.redisOptions?.keyPrefix);
  const Command = commandClassOf(redis);

  const run = (name: string, script: string, keys: readonly string[], args: readonly string[], deadline: number) => {
    const words = [script, String(keys.length), ...keys, ...args];
    const command = new Command(name, [], { replyEncoding: "utf8" });
    // The constructor would look into each of them for words within words.
    command.args = words;
    sendOnce(command, () => bytesOf(name, words), deadline, clustered);
    redis.sendCommand(command);
    return command.promise;
  };

  return {
    clustered,
    keyPrefix,
    evalsha: (sha1, keys, args, deadline) => run("evalsha", sha1, keys, args, deadline),
    eval: (lua, keys, args, deadline) => run("eval", lua, keys, args, deadline),
    ready: (key) => redis.status === "ready" && (!clustered || nodeReady(redis, slotOf(key))),
  };
}

/** Whether the node that serves a slot can be written to; one that the client does not know yet is left to it. */
function nodeReady(cluster: Ioredis, slot: number): boolean {
  const node = cluster.slots?.[slot]?.[0];
  if (node === undefined) return true;
  const connection = cluster.connectionPool?.getInstanceByKey?.(node);
  return connection === undefined || NODE_READY.has(connection.status);
}

/**
 * The class of the client's command objects, which no instance names: an heir of the client makes one,
 * and keeps it from going out.
 */
function commandClassOf(redis: Ioredis): CommandClass {
  let made: object | undefined;
  const heir = Object.create(redis, {
    options: { value: {} },
    sendCommand: { value: (command: object) => void (made = command) },
  }) as Ioredis;
  void heir.evalsha("", 0);
  return made?.constructor as CommandClass;
}

/** A key prefix may be bytes as well; those of a text. */
function textOf(keyPrefix: unknown): string {
  if (keyPrefix instanceof Uint8Array) return Buffer.from(keyPrefix).toString();
  return typeof keyPrefix === "string" ? keyPrefix : "";
}
