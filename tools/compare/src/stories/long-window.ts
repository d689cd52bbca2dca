import { story, type Stage } from "../story.ts";
import { statuses } from "../talk.ts";

export const longWindow = story({
  id: "long-window",
  title: "A window of 30 days holds",
  why: "Timers of Node end at 24.8 days: beyond, they fire at once and quotas per month vanish.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [{ name: "month", limit: 1, windowMs: 30 * 86_400_000 }] });
    const replies = [await app.get(), await app.get()];
    await stage.sleep(100);
    return [...replies, await app.get()];
  },
  isRight: (replies) =>
    statuses(replies) === "200 429 429" &&
    replies.every(
      ({ headers }) => !(Number(headers["retry-after"]) <= 0 || Number(headers["retry-after"]) > 2_592_000),
    ),
  tell: (replies) => `${statuses(replies)}, Retry-After ${sign(Number(replies[1]?.headers["retry-after"]))}`,
});

function sign(seconds: number): string {
  if (Number.isNaN(seconds)) return "absent";
  return seconds > 0 ? "positive" : "negative";
}
