import { story, type Stage } from "../story.ts";
import { admitted, perHour } from "../talk.ts";

export const severalInstances = story({
  id: "several-instances",
  title: "Three instances at once admit exactly the limit",
  why: "Reading, then writing, lets racing processes count the same unit twice.",
  stores: ["redis"],
  async play(stage: Stage) {
    const apps = await Promise.all([1, 2, 3].map(() => stage.serve({ limits: [perHour(10)] })));
    const replies = await Promise.all(apps.flatMap((app) => Array.from({ length: 20 }, () => app.get())));
    return admitted(replies);
  },
  isRight: (count) => count === 10,
  tell: (count) => `admits ${count} of 60 at a limit of 10`,
});
