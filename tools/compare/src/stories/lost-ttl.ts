import { story, type Stage } from "../story.ts";
import { times } from "../talk.ts";

const PERSIST = "for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('PERSIST', key) end";

export const lostTtl = story({
  id: "lost-ttl",
  title: "A key that lost its TTL does not block for ever",
  why: "A crash between two commands, a restore or a PERSIST leaves a count that never expires, and a caller who never gets in.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "short", limit: 2, windowMs: 2_000 }] });
    const redis = await stage.redis();
    await stage.windowStart(2_000);
    await times(3, () => app.get());
    await redis.cli("EVAL", PERSIST, "0");
    for (let ms = 1_500; ms <= 8_000; ms += 500) {
      await stage.at(ms);
      if ((await app.get()).status === 200) return true;
    }
    return false;
  },
  isRight: (served) => served,
  tell: (served) => (served ? "is served again" : "is still denied three windows later"),
});
