import { story, type Stage } from "../story.ts";
import { admitted, perHour, times } from "../talk.ts";

export const plans = story({
  id: "plans",
  title: "The limit can depend on the caller",
  why: "Whoever pays for more gets more.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)], plans: { free: 2, pro: 5 } });
    const count = async (plan: string, from: string) =>
      admitted(await times(7, () => app.get({ from, headers: { plan } })));
    return [await count("free", "203.0.113.1"), await count("pro", "203.0.113.2")];
  },
  isRight: ([free, pro]) => free === 2 && pro === 5,
  tell: ([free, pro]) => `${free} at a limit of 2, ${pro} at a limit of 5`,
});
