import { story, type Stage } from "../story.ts";
import { admitted, times } from "../talk.ts";

export const lateRefund = story({
  id: "late-refund",
  title: "A refund goes to the window that was charged",
  why: "A slow request that fails after its window has ended must not hand out one more in the next.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "short", limit: 3, windowMs: 2_000 }], failedAreFree: true });
    await stage.windowStart(2_000);
    await app.get();
    await stage.at(1_100);
    const slow = app.get({ path: "/status/500/after/2350" });
    // Takes a new connection, so that the slow one has been let in when this one is answered.
    await app.get({ from: "198.51.100.7" });
    await stage.at(3_200);
    // After these the slow one is answered, and its charge given back.
    const [replies] = await Promise.all([times(3, () => app.get()), slow]);
    await stage.at(3_550);
    return admitted([...replies, await app.get()]);
  },
  isRight: (count) => count === 3,
  tell: (count) => `admits ${count} in the next window at a limit of 3`,
});
