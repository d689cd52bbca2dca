import type { Clock } from "../domain/clock.ts";
import { ConfigError, got } from "../domain/errors.ts";
import { requireFunction, requireKnownOptions } from "../domain/options.ts";
import type {
  Answering,
  AsyncStore,
  CallOptions,
  Check,
  RaiseCheck,
  Refund,
  Reply,
  StateView,
} from "../domain/store.ts";
import { decideAcrossSlots } from "./across-slots.ts";
import { commandsOf, type RedisClient } from "./commands/recognise.ts";
import { DenyCache } from "./deny-cache.ts";
import { hashSlot } from "./hash-slot.ts";
import { decided, readAsked, readDone, readViews, replyReader, type Asked, type Reader } from "./requests.ts";
import { StoreCalls, inOrder, type Part } from "./store-calls.ts";

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /**
   * Put before every key, after a `keyPrefix` of the client. Up to 64 characters, no braces.
   * @defaultValue `"rl:"`
   */
  readonly prefix?: string;
  /**
   * For tests. Left out, the server's own clock decides, and so all instances agree. Keys then live for
   * a minute at least, and denials are not remembered.
   */
  readonly clock?: Clock;
  /**
   * Whether a denial is remembered in this process until its wait is over, at most for a second: what
   * remains of an attack does not reach Redis, and a reset made elsewhere is felt within that second.
   * @defaultValue `true`
   */
  readonly denyCache?: boolean;
}

/**
 * Keeps states in Redis 7 or later, in a Cluster, behind Sentinel, or in whatever speaks as they do. All
 * requests of one turn of the event loop are decided by one script call, or by two that overlap.
 *
 * The client remains the caller's: it is never opened, closed or configured, and used only while it is
 * connected. Its user needs the rights that `ERR_AFORO_STORE_PERMISSION` lists.
 *
 * @param client - of ioredis or node-redis, 5 or 6, or an object with {@link RedisCommands}.
 * @throws {@link ConfigError} for a client or an option that cannot be used.
 * @example
 * ```ts
 * const store = redisStore(new Redis(process.env.REDIS_URL));
 * ```
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): AsyncStore {
  requireKnownOptions("redisStore", options, ["prefix", "clock", "denyCache"]);
  const { prefix = "rl:", clock, denyCache = true }: RedisStoreOptions = options;
  if (typeof prefix !== "string" || prefix.length > 64 || !/^[^{}\ud800-\udfff]*$/.test(prefix)) {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"prefix" must be text of at most 64 characters without braces, ${got(prefix)}`,
    );
  }
  if (clock !== undefined) requireFunction("clock", clock);
  if (typeof denyCache !== "boolean") {
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"denyCache" must be true or false, ${got(denyCache)}`);
  }
  return new RedisStore(client, prefix, clock, denyCache);
}

class RedisStore implements AsyncStore {
  readonly sync = false;
  readonly kind = "redis";
  readonly #calls: StoreCalls;
  readonly #denials: DenyCache | undefined;
  readonly #readReply: Reader<Reply> = replyReader();
  readonly #readDecision: Reader<Reply> = (cursor, at, checks, sentAt, stamp) => {
    const reply = this.#readReply(cursor, at, checks, sentAt, stamp);
    if (!(reply instanceof Error) && !reply.allowed) this.#denials?.remember(checks, reply, stamp, sentAt);
    return reply;
  };

  constructor(client: RedisClient, prefix: string, clock: Clock | undefined, denyCache: boolean) {
    this.#calls = new StoreCalls(commandsOf(client, hashSlot), prefix, clock);
    this.#denials = denyCache && clock === undefined ? new DenyCache() : undefined;
  }

  consume(checks: readonly Check[], options?: CallOptions): Promise<Reply> {
    const deadline = options?.deadline ?? Infinity;
    const denied = this.remembered(checks);
    if (denied !== undefined) return Promise.resolve(denied);
    return new Promise<Reply>((settle, fail) => this.consumeInto(checks, { deadline, settle, fail }));
  }

  consumeInto(checks: readonly Check[], to: Answering<Reply>): void {
    const calls = this.#calls;
    const denials = this.#denials;
    if (!calls.spread(checks))
      return calls.askInto("consume", checks, undefined, this.#readDecision, denials?.stamp ?? 0, to);
    decideAcrossSlots(calls, denials, "consume", checks, undefined, to).then(
      (reply) => to.settle(reply),
      (error: unknown) => to.fail(error),
    );
  }

  remembered(checks: readonly Check[]): Reply | undefined {
    return this.#denials?.find(checks);
  }

  raise(checks: readonly RaiseCheck[], options?: CallOptions): Promise<Reply> {
    const calls = this.#calls;
    const extras = checks.map(({ earlier }) => [earlier?.cost ?? 0, Number(earlier?.receipt ?? 0)]);
    this.#drop(checks);
    if (calls.spread(checks)) return decideAcrossSlots(calls, this.#denials, "raise", checks, extras, options);
    return calls.ask("raise", checks, extras.flat(), options, this.#readReply);
  }

  async peek(checks: readonly Check[], options?: CallOptions): Promise<Reply> {
    return joined(await this.#calls.inSlots("peek", checks.map(lookAt), undefined, options, readAsked), checks.length);
  }

  async charge(checks: readonly Check[], options?: CallOptions): Promise<Reply> {
    this.#drop(checks);
    // The script takes the costs, and reports a look at what is then.
    const reader: Reader<Asked> = (reply, at, charged, sentAt) => readAsked(reply, at, charged.map(lookAt), sentAt, 0);
    return joined(await this.#calls.inSlots("charge", checks, undefined, options, reader), checks.length);
  }

  async refund(refunds: readonly Refund[], options?: CallOptions): Promise<void> {
    this.#drop(refunds);
    const extras = refunds.map(({ cost, receipt }) => [cost, Number(receipt)]);
    await this.#calls.inSlots("refund", refunds.map(lookAt), extras, options, readDone);
  }

  async reset(checks: readonly Check[], options?: CallOptions): Promise<void> {
    this.#drop(checks);
    await this.#calls.inSlots("reset", checks.map(lookAt), undefined, options, readDone);
  }

  async block(checks: readonly Check[], ms: number, options?: CallOptions): Promise<void> {
    this.#drop(checks);
    const extras = checks.map(() => [ms]);
    await this.#calls.inSlots("block", checks.map(lookAt), extras, options, readDone);
  }

  async inspect(checks: readonly Check[], options?: CallOptions): Promise<readonly (StateView | undefined)[]> {
    const parts = await this.#calls.inSlots("inspect", checks.map(lookAt), undefined, options, readViews);
    return inOrder(
      parts.map(({ indexes, value }) => ({ indexes, values: value })),
      checks.length,
    );
  }

  close(): void {
    this.#calls.close();
    this.#denials?.clear();
  }

  /** Whatever is known of these keys may be wrong as soon as the call is decided. */
  #drop(checks: readonly Pick<Check, "stateKey">[]): void {
    for (const { stateKey } of checks) this.#denials?.drop(stateKey);
  }
}

function lookAt({ policy, stateKey }: Pick<Check, "policy" | "stateKey">): Check {
  return { policy, stateKey, cost: 0 };
}

function joined(parts: readonly Part<Asked>[], length: number): Reply {
  const replies = parts.map(({ indexes, value }) => ({ indexes, reply: decided(value, value.allowed) }));
  return {
    at: Math.max(0, ...replies.map(({ reply }) => reply.at)),
    allowed: replies.every(({ reply }) => reply.allowed),
    policies: inOrder(
      replies.map(({ indexes, reply }) => ({ indexes, values: reply.policies })),
      length,
    ),
    source: "store",
  };
}
