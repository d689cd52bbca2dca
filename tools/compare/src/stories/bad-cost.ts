import { story, type Stage } from "../story.ts";
import { admitted, perHour, times } from "../talk.ts";

export const badCost = story({
  id: "bad-cost",
  title: "A cost that is negative or no number frees nobody",
  why: "Costs often come from a request: a page size, a length. -5 must not hand out quota, NaN must not switch the limit off.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(3)], costs: true });
    const after = async (cost: string, from: string) => {
      const bad = await app.get({ from, headers: { cost } });
      return { bad: bad.status, admitted: admitted(await times(10, () => app.get({ from, headers: { cost: "1" } }))) };
    };
    return { negative: await after("-5", "203.0.113.1"), nan: await after("many", "203.0.113.2") };
  },
  isRight: ({ negative, nan }) => [negative, nan].every(({ bad, admitted }) => bad < 500 && admitted <= 3),
  tell: ({ negative, nan }) =>
    `then admits ${negative.admitted} of 10 after -5 (${negative.bad}) and ${nan.admitted} of 10 after NaN (${nan.bad}), at a limit of 3`,
});
