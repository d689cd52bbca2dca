import { story, type Stage } from "../story.ts";
import { admitted } from "../talk.ts";

export const boundaryBurst = story({
  id: "boundary-burst",
  title: "The edge of a window admits no double burst",
  why: "Ten in two seconds should not mean twenty within one.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "edge", limit: 10, windowMs: 2_000 }] });
    const burst = (count: number) => Promise.all(Array.from({ length: count }, () => app.get()));
    await stage.windowStart(2_000);
    await app.get();
    await stage.at(1_500);
    const before = await burst(9);
    await stage.at(2_400);
    return admitted([...before, ...(await burst(10))]);
  },
  // What slides approximately may admit a little more; twice is what a fixed window admits.
  isRight: (count) => count < 15,
  tell: (count) => (count < 15 ? "about the limit" : "about twice the limit"),
});
