import { story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const ietfFields = story({
  id: "ietf-fields",
  title: "RateLimit and RateLimit-Policy, as the IETF drafts them",
  why: "The fields that clients will understand without knowing whose they are.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(10)], ietfFields: true });
    const { headers } = await app.get();
    return [String(headers["ratelimit"]), String(headers["ratelimit-policy"])];
  },
  isRight: ([state, policy]) => /^"[^"]+";.*\br=9\b/.test(state ?? "") && /^"[^"]+";.*\bq=10\b/.test(policy ?? ""),
  tell: ([state]) => (/\br=9\b/.test(state ?? "") ? "both" : "none"),
});
