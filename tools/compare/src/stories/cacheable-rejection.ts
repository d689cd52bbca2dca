import { CACHEABLE } from "../answer.ts";
import { story, type Stage } from "../story.ts";
import { perHour, times } from "../talk.ts";

export const cacheableRejection = story({
  id: "cacheable-rejection",
  title: "A 429 is not cached where the page would be",
  why: "A cache in front that stores one caller's 429 serves it to everybody.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)], cacheable: true });
    const [page, rejection] = await times(2, () => app.get());
    return [page?.headers["cache-control"], rejection?.headers["cache-control"]];
  },
  isRight: ([page, rejection]) => page === CACHEABLE && (rejection === undefined || /no-store|private/.test(rejection)),
  tell: ([, rejection]) => `Cache-Control of the 429: ${rejection ?? "none"}`,
});
