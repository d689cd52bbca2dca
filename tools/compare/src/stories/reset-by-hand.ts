import { NotOffered, story, type Stage } from "../story.ts";
import { perHour, statuses } from "../talk.ts";

export const resetByHand = story({
  id: "reset-by-hand",
  title: "One caller can be let in again by hand",
  why: "Support needs it, and so does whoever has just solved a captcha.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)] });
    if (app.reset === undefined) throw new NotOffered("none");
    const from = "203.0.113.1";
    const replies = [await app.get({ from }), await app.get({ from })];
    await app.reset(from);
    return [...replies, await app.get({ from })];
  },
  isRight: (replies) => statuses(replies) === "200 429 200",
  tell: (replies) => `${replies[2]?.status} after a reset`,
});
