import { story, type Stage } from "../story.ts";
import { perHour, statuses } from "../talk.ts";

export const deniedCost = story({
  id: "denied-cost",
  title: "A denied request costs nothing",
  why: "A limit of 10, an export that costs 50 and is denied: were its cost counted, the page behind it would stay shut for the whole window.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(10)], costs: true });
    return [await app.get({ headers: { cost: "50" } }), await app.get({ headers: { cost: "1" } })];
  },
  isRight: (replies) => statuses(replies) === "429 200",
  tell: ([, second]) => `cost 1 after a denied cost 50 of 10: ${second?.status}`,
});
