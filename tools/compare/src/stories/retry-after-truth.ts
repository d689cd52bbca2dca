import { story, type Stage } from "../story.ts";
import { perSecond, times } from "../talk.ts";

export const retryAfterTruth = story({
  id: "retry-after-truth",
  title: "Whoever waits exactly Retry-After gets in",
  why: "A value that is too short makes obedient clients come back in vain, all at once.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(2)] });
    await stage.windowStart(1_000);
    const denied = (await times(3, () => app.get()))[2];
    const retryAfter = Number(denied?.headers["retry-after"] ?? NaN);
    // The reply took its way too, which a client can't know.
    await stage.sleep(retryAfter * 1_000 + 5);
    return { retryAfter, status: (await app.get()).status };
  },
  isRight: ({ retryAfter, status }) => retryAfter <= 2 && status === 200,
  tell: ({ retryAfter, status }) =>
    Number.isNaN(retryAfter) ? "no Retry-After" : `${status} after waiting that long (${rough(retryAfter)})`,
});

function rough(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds} s` : "a fraction of a second";
}
