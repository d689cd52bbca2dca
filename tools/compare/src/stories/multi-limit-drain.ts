import { story, type Stage } from "../story.ts";
import { perHour, perSecond, times } from "../talk.ts";

export const multiLimitDrain = story({
  id: "multi-limit-drain",
  title: "A request that one limit denies does not use up the others",
  why: "With one request a second and five an hour, a client that knocks ten times in the first second loses its hour to nine requests that were never served.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    return { narrowFirst: await drain(stage, false), wideFirst: await drain(stage, true) };
  },
  isRight: ({ narrowFirst, wideFirst }) => narrowFirst === 200 && wideFirst === 200,
  tell: ({ narrowFirst, wideFirst }) =>
    `a second later: ${wideFirst} when the wide limit is written first, ${narrowFirst} when it is written last`,
});

async function drain(stage: Stage, wideFirst: boolean): Promise<number> {
  const limits = wideFirst ? [perHour(5), perSecond(1)] : [perSecond(1), perHour(5)];
  const app = await stage.serve({ limits });
  const from = wideFirst ? "203.0.113.1" : "203.0.113.2";
  await stage.windowStart(1_000);
  await times(10, () => app.get({ from }));
  await stage.at(700);
  await stage.at(1_300);
  return (await app.get({ from })).status;
}
