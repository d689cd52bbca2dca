import { story, type Stage } from "../story.ts";
import { perHour, statuses, times } from "../talk.ts";

export const scriptFlush = story({
  id: "script-flush",
  title: "SCRIPT FLUSH loses no count and fails no request",
  why: "Failovers and operators empty the script cache; the next call finds its script gone.",
  stores: ["redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(2)] });
    const before = await app.get();
    await (await stage.redis()).cli("SCRIPT", "FLUSH");
    return [before, ...(await times(2, () => app.get()))];
  },
  isRight: (replies) => statuses(replies) === "200 200 429",
  tell: (replies) => `${statuses(replies)} at a limit of 2`,
});
