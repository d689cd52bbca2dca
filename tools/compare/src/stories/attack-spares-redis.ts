import { story, type Stage } from "../story.ts";
import { perHour, times } from "../talk.ts";

export const attackSparesRedis = story({
  id: "attack-spares-redis",
  title: "A client over its limit does not reach Redis each time",
  why: "Otherwise whoever attacks the application attacks the store that all instances share.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)], sparesRedis: true });
    const redis = await stage.redis();
    await times(2, () => app.get());
    const before = await calls(redis);
    await times(100, () => app.get());
    // Asking is a call too. What is remembered for a while is asked for again, so a busy machine sees a few more.
    return (await calls(redis)) - before - 1;
  },
  isRight: (count) => count <= 50,
  tell: (count) => (count <= 50 ? "a few calls for 100 denied requests" : "a call for each denied request"),
});

async function calls(redis: { cli(...args: readonly string[]): Promise<string> }): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await redis.cli("INFO", "stats"))?.[1]);
}
