import { readClock, type Clock } from "../domain/clock.ts";
import { StoreError } from "../domain/errors.ts";
import type { RedisCommands } from "./commands/commands.ts";
import { NOT_SENT } from "./commands/send-once.ts";
import { hashSlot } from "./hash-slot.ts";
import { ReplyCursor, unreadable } from "./reply-cursor.ts";
import type { Request } from "./request.ts";
import { CallWriter } from "./script-call.ts";
import type { Script } from "./script.ts";
import { isNoScript, storeErrorOf } from "./store-errors.ts";

/** The most keys of one call: some half a millisecond of the server's time, for which others wait. */
const MOST_KEYS = 512;

/** Decisions about more keys go in two calls: while the server makes the second half, this process reads the first. */
const HALVED_KEYS = 32;

/**
 * Gathers what is asked for in one turn of the event loop and sends it as one script call of limited size, or one for
 * each slot of a Cluster, decided in order. There is no timer and nothing waits for more to come.
 */
export class Batcher {
  readonly #commands: RedisCommands;
  readonly #clock: Clock | undefined;
  readonly #writer: CallWriter;
  readonly #flushWaiting = (): void => this.#flush();
  #waiting: Request[] = [];
  /** Calls that were sent and not answered. */
  #inFlight = 0;
  /** Whether the last flush had one request only. */
  #single = false;

  constructor(commands: RedisCommands, clock: Clock | undefined) {
    this.#commands = commands;
    this.#clock = clock;
    this.#writer = new CallWriter(clock !== undefined);
  }

  add(request: Request): void {
    if (this.#waiting.push(request) > 1) return;
    // Who is alone, and was so the last time, gains nothing from waiting until the end of the turn.
    if (this.#single && this.#inFlight === 0) process.nextTick(this.#flushWaiting);
    // Immediates run after the sockets of this turn were read: ticks and microtasks would gather one request each.
    else setImmediate(this.#flushWaiting);
  }

  #flush(): void {
    const waiting = this.#waiting;
    const sentAt = performance.now();
    this.#single = waiting.length === 1;
    this.#waiting = [];
    if (this.#commands.clustered === true) {
      for (const group of bySlot(waiting)) this.#sendAll(group, sentAt);
    } else {
      this.#sendAll(waiting, sentAt);
    }
  }

  /** In calls of limited size, and without what nobody waits for any more. */
  #sendAll(requests: readonly Request[], sentAt: number): void {
    const half = halfOf(requests);
    let batch: Request[] = [];
    let size = 0;
    for (const request of requests) {
      if (request.deadline < sentAt) {
        request.reject(tooLate());
        continue;
      }
      const keys = 1 + request.moreKeys.length;
      if (batch.length > 0 && (size + keys > MOST_KEYS || size >= half)) {
        this.#send(batch, sentAt);
        batch = [];
        size = 0;
      }
      size += keys;
      batch.push(request);
    }
    if (batch.length > 0) this.#send(batch, sentAt);
  }

  #send(batch: readonly Request[], sentAt: number): void {
    const commands = this.#commands;
    let script: Script | undefined;
    this.#inFlight++;
    const settled = (reply: unknown): void => {
      this.#inFlight--;
      settle(batch, reply, sentAt);
    };
    const failed = (error: unknown): void => {
      this.#inFlight--;
      const typed = storeErrorOf(error, script);
      for (const request of batch) request.reject(typed);
    };
    try {
      if (!commands.ready((batch[0] as Request).key)) throw notReady();
      const call = this.#writer.write(batch, this.#clock === undefined ? undefined : readClock(this.#clock));
      const { keys, args } = call;
      const { sha1, lua } = (script = call.script);
      const deadline = latestDeadline(batch);
      // Only NOSCRIPT is repeated: after any other failure the requests may be counted already.
      const repeat = async (): Promise<unknown> => commands.eval(lua, keys, args, deadline);
      commands.evalsha(sha1, keys, args, deadline).then(settled, (error: unknown) => {
        if (isNoScript(error)) repeat().then(settled, failed);
        else failed(error);
      });
    } catch (error) {
      failed(error);
    }
  }
}

/** How many keys make the first half of a batch; `Infinity` where it is not halved. */
function halfOf(requests: readonly Request[]): number {
  let keys = 0;
  for (const request of requests) {
    // Should one call have to be repeated, decisions may change places; nothing else may.
    if (request.verb !== "consume") return Infinity;
    keys += 1 + request.moreKeys.length;
  }
  return keys > HALVED_KEYS ? Math.ceil(keys / 2) : Infinity;
}

function settle(batch: readonly Request[], reply: unknown, sentAt: number): void {
  let settled = 0;
  try {
    if (reply === NOT_SENT)
      throw new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the connection broke before Redis answered");
    const cursor = new ReplyCursor(reply);
    const now = cursor.time();
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
    const slot = hashSlot(request.key);
    const group = slots.get(slot);
    if (group === undefined) slots.set(slot, [request]);
    else group.push(request);
  }
  return slots.values();
}

function latestDeadline(batch: readonly Request[]): number {
  let latest = 0;
  for (const { deadline } of batch) latest = Math.max(latest, deadline);
  return latest;
}

function tooLate(): StoreError {
  return new StoreError("ERR_AFORO_STORE_TIMEOUT", "the deadline had passed before anything was sent to Redis");
}

function notReady(): StoreError {
  return new StoreError("ERR_AFORO_STORE_UNAVAILABLE", "the Redis client is not connected; nothing was sent");
}
