import { story, type Stage } from "../story.ts";

/** Ms; at none of them does any algorithm that counts by windows or by a log change its mind. */
const TIMES = [0, 800, 1_400, 1_700, 2_500, 3_000, 3_120, 3_800];

export const memoryEqualsRedis = story({
  id: "memory-equals-redis",
  title: "Memory and Redis decide the same",
  why: "What was tried out in development in memory should not be another policy in production.",
  stores: ["both"],
  async play(stage: Stage) {
    const setup = { limits: [{ name: "short", limit: 3, windowMs: 2_000 }] };
    const apps = [await stage.serve(setup, "memory"), await stage.serve(setup, "redis")];
    await stage.windowStart(2_000);
    const histories: string[][] = [[], []];
    for (const ms of TIMES) {
      await stage.at(ms);
      const replies = await Promise.all(apps.map((app) => app.get()));
      for (const [index, { status }] of replies.entries()) histories[index]?.push(String(status));
    }
    return histories.map((history) => history.join(" "));
  },
  isRight: ([memory, redis]) => memory === redis,
  tell: ([memory, redis]) => (memory === redis ? "the same decisions" : "other decisions for the same requests"),
});
