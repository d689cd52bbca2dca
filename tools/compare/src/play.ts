import { startRedis, type RedisServer } from "@aforo/testkit/redis";
import { Client } from "./client.ts";
import { NotOffered, type Served, type Stage, type StoreName, type Story } from "./story.ts";
import { featuresOf, type Feature, type Setup, type Subject } from "./subject.ts";

/** What a story came to on one subject. */
export type Verdict =
  { readonly mark: "right" | "wrong"; readonly told: string } | { readonly mark: "lacks"; readonly told: string };

/** Plays a story on a subject and judges what was seen, by the story's one rule. */
export async function play(story: Story, subject: Subject, store: StoreName): Promise<Verdict> {
  const stage = new RealStage(subject, store);
  try {
    const seen = await story.play(stage);
    return { mark: story.isRight(seen) ? "right" : "wrong", told: story.tell(seen) };
  } catch (error) {
    if (error instanceof NotOffered) return { mark: "lacks", told: error.message };
    throw new Error(`${story.id} on ${subject.name} (${store}): ${String(error)}`, { cause: error });
  } finally {
    await stage.close();
  }
}

class RealStage implements Stage {
  readonly #subject: Subject;
  readonly #store: StoreName;
  readonly #cleanUps: (() => unknown)[] = [];
  #redis: Promise<RedisServer> | undefined;
  #started = 0;

  constructor(subject: Subject, store: StoreName) {
    this.#subject = subject;
    this.#store = store;
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
    return { ...app, get: (asked) => client.get(asked) };
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
  }

  async close(): Promise<void> {
    for (const cleanUp of this.#cleanUps) await cleanUp();
    await (await this.#redis)?.stop();
  }

  #require(feature: Feature): void {
    const instead = this.#subject.lacks[feature];
    if (instead !== undefined) throw new NotOffered(instead);
  }
}
