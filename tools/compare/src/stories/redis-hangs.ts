import { story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const redisHangs = story({
  id: "redis-hangs",
  title: "Redis hangs: the request is served within a second",
  why: "A limiter that waits for its store makes an outage of Redis an outage of everything.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(100)], admitsInOutage: true });
    await app.get();
    (await stage.redis()).signal("SIGSTOP");
    return app.get();
  },
  isRight: ({ status, ms }) => status === 200 && ms < 1_000,
  tell: ({ status, ms }) => (status === 0 ? "no answer" : `${status}${ms < 1_000 ? " in time" : ", too late"}`),
});
