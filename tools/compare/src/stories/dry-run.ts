import { story, type Stage } from "../story.ts";
import { perHour, statuses, times } from "../talk.ts";

export const dryRun = story({
  id: "dry-run",
  title: "A new limit can be tried out on live traffic, rejecting nobody",
  why: "Whom a limit hits is known only from real traffic.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)], dryRun: true });
    return { statuses: statuses(await times(3, () => app.get())), wouldReject: app.wouldReject?.() };
  },
  isRight: ({ statuses, wouldReject }) => statuses === "200 200 200" && wouldReject === 2,
  tell: ({ statuses, wouldReject }) => `${statuses}, and tells of ${wouldReject} that it would have rejected`,
});
