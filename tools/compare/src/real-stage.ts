import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { Client, type Asked, type Reply } from "./client.ts";
import { NotOffered, type Served, type Stage, type StoreName } from "./story.ts";
import { featuresOf, type Feature, type Setup, type Subject } from "./subject.ts";
import type { Time } from "./time.ts";

/** One subject behind real sockets, with Redis servers of its own. */
export class RealStage implements Stage {
  readonly #subject: Subject;
  readonly #store: StoreName;
  readonly #time: Time;
  readonly #cleanUps: (() => unknown)[] = [];
  #redis: Promise<RedisServer> | undefined;
  #started = 0;

  constructor(subject: Subject, store: StoreName, time: Time) {
    this.#subject = subject;
    this.#store = store;
    this.#time = time;
  }

  get packages(): readonly string[] {
    return this.#subject.packages;
  }

  async serve(setup: Setup, store: StoreName = this.#store): Promise<Served> {
    const asked = store === "redis" ? { ...setup, redis: "" } : setup;
    for (const feature of featuresOf(asked)) this.#require(feature);
    const full = store === "redis" ? { ...setup, redis: (await this.redis()).url } : setup;
    const app = await this.#subject.serve(full, this.#time.clock);
    const client = new Client(app.url);
    this.#cleanUps.push(() => client.close(), app.close);
    // Whatever is made or compiled at the first request should be there when a story begins; of a caller in no story.
    await client.get({ from: "192.0.2.1", headers: { cost: "1" } });
    return { ...app, get: async (asked) => this.#inTime(asked, await client.get(asked)) };
  }

  redis(): Promise<RedisServer> {
    this.#redis ??= startRedis();
    return this.#redis;
  }

  now(): number {
    return this.#time.now();
  }

  sleep(ms: number): Promise<void> {
    return this.#time.sleep(ms);
  }

  async windowStart(windowMs: number): Promise<void> {
    // A little after the edge: timers fire early by less than that.
    this.#started = Math.ceil((this.now() + 5) / windowMs) * windowMs + 5;
    await this.at(0);
  }

  async at(ms: number): Promise<void> {
    const due = this.#started + ms;
    await this.sleep(Math.max(0, due - this.now()));
    this.#time.requireInTime(this.now() - due);
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanUps) await cleanUp();
    await (await this.#redis)?.stop();
  }

  /** Stories that began with a window tell the time by their requests too. */
  #inTime(asked: Asked | undefined, reply: Reply): Reply {
    const wanted = Number(/\/after\/(\d+)/.exec(asked?.path ?? "")?.[1] ?? 0);
    if (this.#started !== 0) this.#time.requireInTime(reply.ms - wanted);
    return reply;
  }

  #require(feature: Feature): void {
    const instead = this.#subject.lacks[feature];
    if (instead !== undefined) throw new NotOffered(instead);
  }
}
