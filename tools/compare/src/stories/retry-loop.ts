import type { Reply } from "../client.ts";
import { story, type Stage } from "../story.ts";
import { admitted, perSecond } from "../talk.ts";

export const retryLoop = story({
  id: "retry-loop",
  title: "A client that keeps knocking is served again",
  why: "Clients retry in a loop. When denied requests count, or push the window on, such a client is never served again.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perSecond(3)] });
    const replies: Reply[] = [];
    await stage.windowStart(1_000);
    for (let ms = 0; ms <= 2_400; ms += 100) {
      await stage.at(ms);
      replies.push(await app.get());
    }
    return admitted(replies.slice(12));
  },
  isRight: (later) => later > 0,
  tell: (later) => (later > 0 ? "is served again in the next window" : "is not served again"),
});
