import { story, type Stage } from "../story.ts";

export const shortWindow = story({
  id: "short-window",
  title: "A window of half a second ends after half a second",
  why: "A duration that is cut to whole seconds becomes a key without expiry, and a ban without end.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "half", limit: 1, windowMs: 500 }] });
    await app.get();
    await stage.sleep(1_500);
    return (await app.get()).status;
  },
  isRight: (status) => status === 200,
  tell: (status) => `${status} three windows later`,
});
