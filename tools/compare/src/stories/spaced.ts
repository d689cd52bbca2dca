import { story, type Stage } from "../story.ts";
import { admitted } from "../talk.ts";

export const spaced = story({
  id: "spaced",
  title: "Requests that come at once can wait instead of being rejected",
  why: "A backend that must not feel bursts is better served by an even flow than by rejections.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "even", limit: 10, windowMs: 1_000 }], spaced: true });
    const replies = await Promise.all([1, 2, 3, 4].map(() => app.get()));
    return { admitted: admitted(replies), longest: Math.max(...replies.map(({ ms }) => ms)) };
  },
  isRight: ({ admitted, longest }) => admitted === 4 && longest > 250,
  tell: ({ admitted, longest }) => `admits ${admitted} of 4, ${longest > 250 ? "one after another" : "at once"}`,
});
