import { story, type Stage } from "../story.ts";
import { admitted, perHour, sleep, times } from "../talk.ts";

export const redisDownStillLimits = story({
  id: "redis-down-still-limits",
  title: "Redis is down: each process goes on limiting",
  why: "Letting everything pass during an outage hands an attacker the outage.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(3)], limitsInOutage: true });
    await app.get({ from: "203.0.113.1" });
    await (await stage.redis()).kill();
    await sleep(50);
    return admitted(await times(6, () => app.get()));
  },
  isRight: (count) => count >= 1 && count <= 3,
  tell: (count) => `admits ${count} of 6 at a limit of 3`,
});
