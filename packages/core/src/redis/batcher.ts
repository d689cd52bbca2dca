import { readClock, type Clock } from "../domain/clock.ts";
import { StoreError } from "../domain/errors.ts";
import type { RedisCommands } from "./commands/commands.ts";
import { NOT_SENT } from "./commands/send-once.ts";
import { hashSlot } from "./hash-slot.ts";
import { ReplyCursor, unreadable } from "./reply-cursor.ts";
import type { Request } from "./request.ts";
import { CallWriter, type ScriptCall } from "./script-call.ts";
import { isNoScript, storeErrorOf } from "./store-errors.ts";

/** The most keys of one call: some half a millisecond of the server's time, for which others wait. */
const MAX_KEYS = 512;

/**
 * Gathers what is asked for in one turn of the event loop and sends it as one script call, or one for
 * each slot of a Cluster, decided in order. There is no timer and nothing waits for more to come.
 */
export class Batcher {
  readonly #commands: RedisCommands;
  readonly #clock: Clock | undefined;
  readonly #writer: CallWriter;
  readonly #flushWaiting = (): void => this.#flush();
  #waiting: Request[] = [];

  constructor(commands: RedisCommands, clock: Clock | undefined) {
    this.#commands = commands;
    this.#clock = clock;
    this.#writer = new CallWriter(clock !== undefined);
  }

  add(request: Request): void {
    // Immediates run after the sockets of this turn were read: ticks and microtasks would gather one request each.
    if (this.#waiting.push(request) === 1) setImmediate(this.#flushWaiting);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const sentAt = performance.now();
    for (const group of this.#commands.clustered === true ? bySlot(waiting) : [waiting]) {
      for (const batch of inBatches(group, sentAt)) this.#send(batch, sentAt);
    }
  }

  #send(batch: readonly Request[], sentAt: number): void {
    let call: ScriptCall;
    try {
      if (!this.#commands.ready(batch[0]?.keys[0] ?? "")) throw notReady();
      call = this.#writer.write(batch, this.#clock === undefined ? undefined : readClock(this.#clock));
    } catch (error) {
      const typed = storeErrorOf(error, undefined);
      for (const request of batch) request.reject(typed);
      return;
    }
    this.#run(call, latestDeadline(batch)).then(
      (reply) => settle(batch, reply, sentAt),
      (error: unknown) => {
        const typed = storeErrorOf(error, call.script);
        for (const request of batch) request.reject(typed);
      },
    );
  }

  /** Only `NOSCRIPT` is repeated: after any other failure the requests may be counted already. */
  async #run({ script, keys, args }: ScriptCall, deadline: number): Promise<unknown> {
    try {
      return await this.#commands.evalsha(script.sha1, keys, args, deadline);
    } catch (error) {
      if (!isNoScript(error)) throw error;
      return this.#commands.eval(script.lua, keys, args, deadline);
    }
  }
}

function settle(batch: readonly Request[], reply: unknown, sentAt: number): void {
  let settled = 0;
  try {
    if (reply === NOT_SENT)
      throw new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the connection broke before Redis answered");
    const cursor = new ReplyCursor(reply);
    const now = cursor.number();
    for (const request of batch) {
      request.settle(cursor, now, sentAt);
      settled++;
    }
    if (!cursor.done) throw unreadable(reply);
  } catch (error) {
    for (const request of batch.slice(settled)) request.reject(error);
  }
}

function bySlot(requests: readonly Request[]): Iterable<Request[]> {
  const slots = new Map<number, Request[]>();
  for (const request of requests) {
    const slot = hashSlot(request.keys[0] as string);
    const group = slots.get(slot);
    if (group === undefined) slots.set(slot, [request]);
    else group.push(request);
  }
  return slots.values();
}

/** Cuts a group to size, and rejects what nobody waits for any more. */
function inBatches(requests: readonly Request[], now: number): Request[][] {
  const batches: Request[][] = [];
  let size = MAX_KEYS;
  for (const request of requests) {
    if (request.deadline < now) {
      request.reject(
        new StoreError("ERR_AFORO_STORE_TIMEOUT", "the deadline had passed before anything was sent to Redis"),
      );
      continue;
    }
    size += request.keys.length;
    if (size > MAX_KEYS) {
      batches.push([]);
      size = request.keys.length;
    }
    batches.at(-1)?.push(request);
  }
  return batches;
}

function latestDeadline(batch: readonly Request[]): number {
  let latest = 0;
  for (const { deadline } of batch) latest = Math.max(latest, deadline);
  return latest;
}

function notReady(): StoreError {
  return new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the Redis client is not connected; nothing was sent");
}
