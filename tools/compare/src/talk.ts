import type { Reply } from "./client.ts";
import type { Limit } from "./subject.ts";

/** So many per second, which stories can wait for. */
export function perSecond(limit: number): Limit {
  return { name: "second", limit, windowMs: 1_000 };
}

/** So many per hour, for stories that end long before: of a shorter window one would now and then see the edge. */
export function perHour(limit: number): Limit {
  return { name: "hour", limit, windowMs: 3_600_000 };
}

/** One after another. */
export async function times(count: number, ask: (index: number) => Promise<Reply>): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  for (let index = 0; index < count; index++) replies.push(await ask(index));
  return replies;
}

export function admitted(replies: readonly Reply[]): number {
  return replies.filter(({ status }) => status === 200).length;
}

/** Such as `200 200 429`. */
export function statuses(replies: readonly Reply[]): string {
  return replies.map(({ status }) => (status === 0 ? "no answer" : status)).join(" ");
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
