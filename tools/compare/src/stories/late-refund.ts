import { story, type Stage } from "../story.ts";
import { admitted, perSecond, times } from "../talk.ts";

export const lateRefund = story({
  id: "late-refund",
  title: "A refund goes to the window that was charged",
  why: "A slow request that fails after its window has ended must not hand out one more in the next.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(3)], failedAreFree: true });
    await stage.windowStart(1_000);
    await app.get();
    await stage.at(600);
    const slow = app.get({ path: "/status/500/after/1200" });
    await stage.at(1_600);
    const replies = await times(3, () => app.get());
    await slow;
    await stage.at(1_900);
    return admitted([...replies, await app.get()]);
  },
  isRight: (count) => count === 3,
  tell: (count) => `admits ${count} in the next window at a limit of 3`,
});
