import type { Limiter, RequestView, Store } from "@aforo/core";
import { createHttpLimiter, type RateLimitOptions } from "@aforo/core/adapter";
import { redisStore } from "@aforo/core/redis";
import { Cluster, Redis } from "ioredis";
import type { AppOptions } from "../policy/policy-file.ts";
import { RunError, UsageError } from "../usage-error.ts";

export interface LiveOptions {
  /** What the application gives to `rateLimit`. */
  readonly options: AppOptions;
  /** `redis://` or `rediss://`; left out, the store of the application's module. */
  readonly redis: string | undefined;
  readonly cluster: boolean;
  readonly prefix: string | undefined;
}

/** The application's limiter over its live states, to look at and to change by hand. */
export interface LiveLimiter {
  readonly limiter: Limiter<boolean, RequestView>;
  close(): void;
}

const TIMEOUT_MS = 5_000;

/**
 * @throws {@link UsageError} when there is no store to look into.
 * @throws {@link RunError} when the server does not answer.
 */
export async function openLimiter({ options, redis, cluster, prefix }: LiveOptions): Promise<LiveLimiter> {
  const client = redis === undefined ? undefined : await connect(redis, cluster);
  const store =
    client === undefined
      ? appStore(options)
      : redisStore(client, { denyCache: false, ...(prefix === undefined ? {} : { prefix }) });
  const http = createHttpLimiter(
    // What this process would decide by itself says nothing of the live states.
    {
      ...(options as RateLimitOptions),
      store,
      shared: true,
      onStoreError: "deny",
      storeTimeoutMs: TIMEOUT_MS,
    },
    { name: "aforo" },
  );
  return {
    limiter: http.limiter,
    close() {
      void http.close();
      client?.disconnect();
    },
  };
}

function appStore({ store }: AppOptions): Store {
  if (store?.kind === "redis") return store;
  throw new UsageError("say where the live states are: --redis redis://HOST:PORT, or REDIS_URL in the environment");
}

async function connect(url: string, cluster: boolean): Promise<Redis | Cluster> {
  const where = hostOf(url);
  const options = {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  } as const;
  const client = cluster
    ? new Cluster([url], {
        lazyConnect: true,
        clusterRetryStrategy: () => null,
        redisOptions: { connectTimeout: TIMEOUT_MS },
      })
    : new Redis(url, options);
  let reason = "";
  client.on("error", (error: Error) => (reason = error.message));
  try {
    await client.connect();
    await client.ping();
    return client;
  } catch (error) {
    client.disconnect();
    throw new RunError(`${where} does not answer: ${reason || (error as Error).message}`);
  }
}

/** Never the whole address: it may hold a password. */
function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    if (protocol === "redis:" || protocol === "rediss:") return host;
  } catch {
    // Told below.
  }
  throw new UsageError(
    '"--redis" must be an address such as redis://localhost:6379 or rediss://user:password@host:6380',
  );
}
