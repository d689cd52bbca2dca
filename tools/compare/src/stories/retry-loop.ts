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
    const started = stage.now();
    let served = started;
    let longest = 0;
    while (stage.now() - started < 5_400) {
      const { status } = await app.get();
      const now = stage.now();
      longest = Math.max(longest, now - served);
      if (status === 200) served = now;
      await stage.sleep(100);
    }
    return longest;
  },
  isRight: (ms) => ms < 1_800,
  tell: (ms) => (ms < 1_800 ? "is served in every window" : "is denied for several windows in a row"),
});
