import { story, type Stage } from "../story.ts";
import { perSecond, times } from "../talk.ts";

export const longerBlock = story({
  id: "longer-block",
  title: "Whoever exceeds the limit can be kept out for longer than the window",
  why: "Guessing passwords should cost more than a moment's wait.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(2)], blockMs: 4_000 });
    await stage.windowStart(1_000);
    await times(3, () => app.get());
    await stage.at(2_200);
    return (await app.get()).status;
  },
  isRight: (status) => status === 429,
  tell: (status) => `${status} two windows later`,
});
