import { story, type Stage } from "../story.ts";
import { perHour, statuses, times } from "../talk.ts";

export const failedAreFree = story({
  id: "failed-are-free",
  title: "Failed requests can be left uncounted",
  why: "A server error should not use up the caller's quota.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(2)], failedAreFree: true });
    const failed = await times(4, () => app.get({ path: "/status/500" }));
    return [...failed, ...(await times(3, () => app.get()))];
  },
  isRight: (replies) => statuses(replies) === "500 500 500 500 200 200 429",
  tell: (replies) => `four failures, then ${statuses(replies.slice(4))} at a limit of 2`,
});
