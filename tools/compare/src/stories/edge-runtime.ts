import { NotOffered, story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const edgeRuntime = story({
  id: "edge-runtime",
  title: "Runs where there is no Node server",
  why: "Edge runtimes call a function from Request to Response.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)], fetch: true });
    if (app.fetch === undefined) throw new NotOffered("none");
    const statuses: number[] = [];
    for (const _ of [1, 2]) statuses.push((await app.fetch(new Request("http://localhost/"))).status);
    return statuses.join(" ");
  },
  isRight: (statuses) => statuses === "200 429",
  tell: (statuses) => `${statuses} at a limit of 1`,
});
