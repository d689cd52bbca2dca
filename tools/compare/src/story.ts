import type { RedisServer } from "@aforo/testkit/redis";
import type { Client } from "./client.ts";
import type { App, Setup } from "./subject.ts";

export type StoreName = "memory" | "redis" | "both";

/** An application that a story started, and a client for it. */
export interface Served extends App, Pick<Client, "get"> {}

/** What a story is played on: one subject with one store. */
export interface Stage {
  /** The subject's packages. */
  readonly packages: readonly string[];
  /**
   * Starts an application of the subject; it and what it started are gone after the story.
   * @param store - for stories that compare two.
   * @throws NotOffered
   */
  serve(setup: Setup, store?: "memory" | "redis"): Promise<Served>;
  /** Epoch ms, and a pause, in the story's time: that of the wall, or a subject's own in tests. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The Redis server of this story alone. */
  redis(): Promise<RedisServer>;
  /** Waits for the first moments of a window that is aligned to the clock, so that such windows differ from no others. */
  windowStart(windowMs: number): Promise<void>;
  /**
   * Waits until so many ms after the last `windowStart`. A machine that keeps the story from being in time, here or by
   * slow requests, makes it start over.
   */
  at(ms: number): Promise<void>;
}

/**
 * One thing that a limiter should get right. The same play and the same rule hold for every subject.
 *
 * @typeParam Seen - what was observed.
 */
export interface Story<Seen = unknown> {
  /** Kebab case; the name of its file. */
  readonly id: string;
  /** What is right, in a few words. */
  readonly title: string;
  /** Why it matters, in a sentence or two. */
  readonly why: string;
  readonly stores: readonly StoreName[];
  /** Nothing else may run meanwhile, since it listens to what the whole process says. */
  readonly alone?: boolean;
  play(stage: Stage): Promise<Seen>;
  isRight(seen: Seen): boolean;
  /** What was observed, in a few words that do not differ from run to run. */
  tell(seen: Seen): string;
}

/** Names the type of what a story observes once. */
export function story<Seen>(given: Story<Seen>): Story {
  return given;
}

/** Thrown when a subject has no option for what a story needs; the message says what there is instead. */
export class NotOffered extends Error {}
