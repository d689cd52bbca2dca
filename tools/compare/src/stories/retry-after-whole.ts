import { story, type Stage } from "../story.ts";
import { perSecond, times } from "../talk.ts";

export const retryAfterWhole = story({
  id: "retry-after-whole",
  title: "Retry-After is a whole number of seconds, and never 0",
  why: "HTTP knows whole seconds only: clients drop a fraction, or fail on it, and 0 means a tight loop.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(2)] });
    await stage.windowStart(1_000);
    return (await times(3, () => app.get()))[2]?.headers["retry-after"];
  },
  isRight: (value) => /^[1-9]\d*$/.test(value ?? ""),
  tell: (value) => (value === undefined ? "none" : /^\d+$/.test(value) ? value : "a fraction"),
});
