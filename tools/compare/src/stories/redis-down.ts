import { story, type Stage } from "../story.ts";
import { perHour, sleep } from "../talk.ts";

export const redisDown = story({
  id: "redis-down",
  title: "Redis is down: the request is served within a second",
  why: "Redis restarts, fails over, moves. Requests should not fail meanwhile unless that is what was asked for.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(100)], admitsInOutage: true });
    await app.get();
    await (await stage.redis()).kill();
    await sleep(50);
    return app.get();
  },
  isRight: ({ status, ms }) => status === 200 && ms < 1_000,
  tell: ({ status, ms }) => (status === 0 ? "no answer" : `${status}${ms < 1_000 ? " in time" : ", too late"}`),
});
