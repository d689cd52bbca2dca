import { story, type Stage } from "../story.ts";
import { perSecond, sleep, times } from "../talk.ts";

export const lostTtl = story({
  id: "lost-ttl",
  title: "A key that lost its TTL does not block for ever",
  why: "A crash between two commands, a restore or a PERSIST leaves a count that never expires, and a caller who never gets in.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(2)] });
    const redis = await stage.redis();
    await times(3, () => app.get());
    for (const key of (await redis.cli("KEYS", "*")).split("\n")) await redis.cli("PERSIST", key);
    for (let attempt = 0; attempt < 12; attempt++) {
      await sleep(250);
      if ((await app.get()).status === 200) return true;
    }
    return false;
  },
  isRight: (served) => served,
  tell: (served) => (served ? "is served again" : "is still denied three windows later"),
});
