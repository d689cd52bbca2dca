import { story, type Stage } from "../story.ts";
import { perSecond } from "../talk.ts";

export const retryLoop = story({
  id: "retry-loop",
  title: "A client that keeps knocking is served again in every window",
  why: "Clients retry in a loop. When denied requests count, or push the window on, such a client is served late or never.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(3)] });
    await stage.windowStart(1_000);
    let served = 0;
    let longest = 0;
    for (let ms = 0; ms <= 5_400; ms += 100) {
      await stage.at(ms);
      longest = Math.max(longest, ms - served);
      if ((await app.get()).status === 200) served = ms;
    }
    return longest;
  },
  isRight: (ms) => ms < 1_700,
  tell: (ms) => (ms < 1_700 ? "is served in every window" : "is denied for several windows in a row"),
});
