import { story, type Stage } from "../story.ts";
import { perHour, times } from "../talk.ts";

export const headersOnRejection = story({
  id: "headers-on-rejection",
  title: "A rejection tells limit, remainder and wait",
  why: "The moment it is rejected is when a client needs the numbers.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(2)] });
    const headers = (await times(3, () => app.get()))[2]?.headers ?? {};
    const names = Object.keys(headers).join(" ");
    return { quota: /ratelimit\b.*ratelimit\b/.test(names), retryAfter: headers["retry-after"] !== undefined };
  },
  isRight: ({ quota, retryAfter }) => quota && retryAfter,
  tell: ({ quota, retryAfter }) => `${quota ? "quota" : "no quota"}, ${retryAfter ? "Retry-After" : "no Retry-After"}`,
});
