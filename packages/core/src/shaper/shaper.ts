import { MAX_COST } from "../algorithms/algorithm.ts";
import { MAX_DURATION_MS } from "../domain/duration.ts";
import { AforoError, got } from "../domain/errors.ts";
import type { Limiter } from "../limiter/limiter.ts";
import type { Job, JobContext } from "./job.ts";
import { Lane } from "./lane.ts";
import { retryAfterOf } from "./retry-after.ts";

/** How one job is queued. */
export interface RunOptions {
  /** Units of the schedule, 1 to the burst plus what a second process could hold; default 1. */
  readonly cost?: number;
  /** Leaves the queue when aborted; handed to the function once it runs. */
  readonly signal?: AbortSignal;
}

/** Releases work at a steady rate, across all processes that share its store. */
export interface Shaper<K = string> {
  /** Jobs that wait for their release, in this process. */
  readonly size: number;
  /**
   * Queues `work` behind the earlier jobs of its key, runs it at its time, and settles as it does.
   * Rejects with `ERR_AFORO_QUEUE_FULL` at once when `maxQueue` jobs wait, with the signal's reason when it aborts before
   * the release, with `ERR_AFORO_CLOSED` after `close`. A failing store delays a job, and never loses it.
   */
  run<T>(key: K, work: (context: JobContext) => T | Promise<T>, options?: RunOptions): Promise<T>;
  /** Pauses a key for everyone; what a `Retry-After` of finished work does by itself. */
  pause(key: K, ms: number): Promise<void>;
  /** Resolves once nothing waits and nothing runs. */
  idle(): Promise<void>;
  /** Takes no more jobs; drains the queue (default) or rejects what waits, and resolves when nothing runs any more. */
  close(options?: { readonly drain?: boolean }): Promise<void>;
}

/** What a {@link QueueShaper} is built of. */
export interface ShaperParts<K> {
  readonly limiter: Limiter;
  readonly keyOf: (key: K) => unknown;
  readonly concurrency: number;
  readonly maxQueue: number;
}

export class QueueShaper<K> implements Shaper<K> {
  readonly #parts: ShaperParts<K>;
  readonly #lanes = new Map<string, Lane>();
  readonly #idle: (() => void)[] = [];
  #closed = false;

  constructor(parts: ShaperParts<K>) {
    this.#parts = parts;
  }

  get size(): number {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting;
    return waiting;
  }

  async run<T>(key: K, work: (context: JobContext) => T | Promise<T>, options: RunOptions = {}): Promise<T> {
    const { cost = 1, signal } = options;
    if (!Number.isInteger(cost) || cost < 1 || cost > MAX_COST) {
      throw new AforoError("ERR_AFORO_INVALID_COST", `"cost" must be a whole number from 1 to 2^31, ${got(cost)}`);
    }
    if (this.#closed) throw new AforoError("ERR_AFORO_CLOSED", `shaper "${this.#parts.limiter.name}" was closed`);
    signal?.throwIfAborted();
    if (this.size >= this.#parts.maxQueue) {
      throw new AforoError(
        "ERR_AFORO_QUEUE_FULL",
        `${this.#parts.maxQueue} jobs wait already; slow down or raise "maxQueue"`,
      );
    }
    const name = this.#nameOf(key);
    const lane = this.#laneOf(name);
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        if (lane.remove(job)) reject(signal?.reason as Error);
      };
      const job: Job = {
        cost,
        start: async () => {
          signal?.removeEventListener("abort", leave);
          try {
            const result = await work({ signal, pause: (ms) => this.#pause(name, ms) });
            this.#pauseFor(name, result);
            resolve(result);
          } catch (error) {
            this.#pauseFor(name, error);
            reject(error);
          }
        },
        fail: (error) => {
          signal?.removeEventListener("abort", leave);
          reject(error);
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      lane.add(job);
    });
  }

  async pause(key: K, ms: number): Promise<void> {
    const name = this.#nameOf(key);
    this.#lanes.get(name)?.pause(ms);
    await this.#parts.limiter.block(name, ms);
  }

  async idle(): Promise<void> {
    if (this.#lanes.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async close(options: { readonly drain?: boolean } = {}): Promise<void> {
    this.#closed = true;
    if (options.drain === false) {
      const error = new AforoError("ERR_AFORO_CLOSED", `shaper "${this.#parts.limiter.name}" was closed`);
      for (const lane of this.#lanes.values()) lane.clear(error);
    }
    await this.idle();
    await this.#parts.limiter.close();
  }

  #nameOf(key: K): string {
    const name = this.#parts.keyOf(key);
    if (typeof name === "string" && name !== "") return name;
    throw new AforoError("ERR_AFORO_INVALID_KEY", `a key must be a text that is not empty, ${got(name)}`);
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (lane !== undefined) return lane;
    lane = new Lane({
      concurrency: this.#parts.concurrency,
      reserve: (cost) => this.#parts.limiter.consume(name, cost),
      moved: (empty) => {
        if (!empty) return;
        this.#lanes.delete(name);
        if (this.#lanes.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
      },
    });
    this.#lanes.set(name, lane);
    return lane;
  }

  #pauseFor(name: string, outcome: unknown): void {
    const ms = retryAfterOf(outcome);
    if (ms !== undefined) this.#pause(name, ms);
  }

  #pause(name: string, ms: number): void {
    const whole = Math.min(Math.ceil(ms), MAX_DURATION_MS);
    if (!(whole > 0)) return;
    this.#lanes.get(name)?.pause(whole);
    // The local pause holds; that the others could not be told is an event of the limiter.
    void Promise.resolve(this.#parts.limiter.block(name, whole)).catch(() => {});
  }
}
