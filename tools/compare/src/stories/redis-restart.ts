import { story, type Stage } from "../story.ts";
import { perHour, sleep, statuses, times } from "../talk.ts";

export const redisRestart = story({
  id: "redis-restart",
  title: "Redis comes back empty: it counts again by itself",
  why: "A restarted Redis has lost scripts and counts. The application should not have to be restarted too.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(2)] });
    const redis = await stage.redis();
    await app.get();
    await redis.restart();
    for (let attempt = 0; attempt < 12; attempt++) {
      const from = `203.0.113.${attempt + 1}`;
      const counted = statuses(await times(3, () => app.get({ from })));
      if (counted === "200 200 429" && (await redis.cli("DBSIZE")) !== "0") return true;
      await sleep(300);
    }
    return false;
  },
  isRight: (counts) => counts,
  tell: (counts) => (counts ? "counts again" : "does not count again"),
});
