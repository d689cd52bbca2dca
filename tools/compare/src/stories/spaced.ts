import { story, type Stage } from "../story.ts";
import { admitted } from "../talk.ts";

/** Ms between two requests of an even flow. */
const EVEN = 400;

export const spaced = story({
  id: "spaced",
  title: "Requests that come at once can wait instead of being rejected",
  why: "A backend that must not feel bursts is better served by an even flow than by rejections.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "even", limit: 10, windowMs: 4_000 }], spaced: true });
    const replies = await Promise.all([1, 2, 3, 4].map(() => app.get()));
    const times = replies.map(({ ms }) => ms).sort((a, b) => a - b);
    const gaps = times.slice(1).map((ms, index) => ms - (times[index] as number));
    return { admitted: admitted(replies), leastGap: Math.min(...gaps) };
  },
  isRight: ({ admitted, leastGap }) => admitted === 4 && leastGap > EVEN / 2,
  tell: ({ admitted, leastGap }) =>
    `admits ${admitted} of 4, ${leastGap > EVEN / 2 ? "evenly" : "some of them together"}`,
});
