import { story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const costAboveLimit = story({
  id: "cost-above-limit",
  title: "What can never be admitted is not told to come back",
  why: "A cost of 11 never fits into 10. A client that gets a Retry-After repeats it for ever.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(10)], costs: true });
    const { status, headers } = await app.get({ headers: { cost: "11" } });
    return { status, comeBack: headers["retry-after"] !== undefined };
  },
  isRight: ({ status, comeBack }) => status >= 400 && status < 500 && !comeBack,
  tell: ({ status, comeBack }) => `${status}, ${comeBack ? "with" : "without"} Retry-After`,
});
