import { story, type Stage } from "../story.ts";
import { perSecond } from "../talk.ts";

const TIMES = [0, 400, 800, 900, 1_100, 1_300, 1_500, 1_700, 1_850];

export const memoryEqualsRedis = story({
  id: "memory-equals-redis",
  title: "Memory and Redis decide the same",
  why: "What was tried out in development in memory should not be another policy in production.",
  stores: ["both"],
  async play(stage: Stage) {
    const apps = [
      await stage.serve({ limits: [perSecond(3)] }, "memory"),
      await stage.serve({ limits: [perSecond(3)] }, "redis"),
    ];
    await stage.windowStart(1_000);
    const histories: string[][] = [[], []];
    for (const ms of TIMES) {
      await stage.at(ms);
      const replies = await Promise.all(apps.map((app) => app.get()));
      for (const [index, { status }] of replies.entries()) histories[index]?.push(String(status));
    }
    return histories.map((history) => history.join(" "));
  },
  isRight: ([memory, redis]) => memory === redis,
  tell: ([memory, redis]) =>
    memory === redis ? "the same nine decisions" : "other decisions for the same nine requests",
});
