import { story, type Stage } from "../story.ts";
import { admitted, perHour } from "../talk.ts";

export const concurrent = story({
  id: "concurrent",
  title: "Fifty requests at once admit exactly the limit",
  why: "A burst is when a limit is needed.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(10)] });
    return admitted(await Promise.all(Array.from({ length: 50 }, () => app.get())));
  },
  isRight: (count) => count === 10,
  tell: (count) => `admits ${count} of 50 at a limit of 10`,
});
