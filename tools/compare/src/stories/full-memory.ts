import { story, type Stage } from "../story.ts";
import { perHour, times } from "../talk.ts";

export const fullMemory = story({
  id: "full-memory",
  title: "Made-up keys do not push the blocked out of a bounded memory",
  why: "Memory must be bounded, and whoever is blocked must not get free by sending requests under many names.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(2)], keysAtMost: 100 });
    const from = "203.0.113.1";
    await times(3, () => app.get({ from }));
    await times(150, (index) => app.get({ from: `198.51.100.${index}` }));
    return (await app.get({ from })).status;
  },
  isRight: (status) => status === 429,
  tell: (status) => `${status} after 150 other clients at 100 keys`,
});
