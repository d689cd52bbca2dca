import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { Client, type Asked, type Reply } from "./client.ts";
import { NotOffered, type Served, type Stage, type StoreName, type Story } from "./story.ts";
import { featuresOf, type Feature, type Setup, type Subject } from "./subject.ts";

/** What a story came to on one subject. */
export type Verdict =
  { readonly mark: "right" | "wrong"; readonly told: string } | { readonly mark: "lacks"; readonly told: string };

/** A play whose timing the machine could not keep says nothing, right or wrong: it is played again. The last one counts. */
const ATTEMPTS = 6;
/** Later than that is not in time. */
const LATE_MS = 200;

/** Plays a story on a subject and judges what was seen, by the story's one rule. */
export async function play(story: Story, subject: Subject, store: StoreName): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    const stage = new RealStage(subject, store, attempt < ATTEMPTS ? LATE_MS : Infinity);
    try {
      const seen = await story.play(stage);
      return { mark: story.isRight(seen) ? "right" : "wrong", told: story.tell(seen) };
    } catch (error) {
      if (error instanceof NotOffered) return { mark: "lacks", told: error.message };
      if (error instanceof TooBusy) continue;
      throw new Error(`${story.id} on ${subject.name} (${store}): ${String(error)}`, { cause: error });
    } finally {
      await stage.close();
    }
  }
}

class TooBusy extends Error {}

class RealStage implements Stage {
  readonly #subject: Subject;
  readonly #store: StoreName;
  readonly #lateMs: number;
  readonly #cleanUps: (() => unknown)[] = [];
  #redis: Promise<RedisServer> | undefined;
  #started = 0;

  constructor(subject: Subject, store: StoreName, lateMs: number) {
    this.#subject = subject;
    this.#store = store;
    this.#lateMs = lateMs;
  }

  get packages(): readonly string[] {
    return this.#subject.packages;
  }

  async serve(setup: Setup, store: StoreName = this.#store): Promise<Served> {
    const asked = store === "redis" ? { ...setup, redis: "" } : setup;
    for (const feature of featuresOf(asked)) this.#require(feature);
    const app = await this.#subject.serve(store === "redis" ? { ...setup, redis: (await this.redis()).url } : setup);
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

  async windowStart(windowMs: number): Promise<void> {
    // A little after the edge: timers fire early by less than that.
    this.#started = Math.ceil((Date.now() + 5) / windowMs) * windowMs + 5;
    await this.at(0);
  }

  async at(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.#started + ms - Date.now())));
    this.#requireInTime(Date.now() - this.#started - ms);
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanUps) await cleanUp();
    await (await this.#redis)?.stop();
  }

  /** Stories that began with a window tell the time by their requests too. */
  #inTime(asked: Asked | undefined, reply: Reply): Reply {
    if (this.#started !== 0 && asked?.path === undefined) this.#requireInTime(reply.ms);
    return reply;
  }

  #requireInTime(lateMs: number): void {
    if (lateMs > this.#lateMs) throw new TooBusy();
  }

  #require(feature: Feature): void {
    const instead = this.#subject.lacks[feature];
    if (instead !== undefined) throw new NotOffered(instead);
  }
}
