import { story, type Stage } from "../story.ts";
import { perHour, times } from "../talk.ts";

const NARROW = { name: "narrow", limit: 1, windowMs: 2_000 };

export const multiLimitDrain = story({
  id: "multi-limit-drain",
  title: "A request that one limit denies does not use up the others",
  why: "With one request every two seconds and five an hour, a client that knocks ten times at once loses its hour to nine requests that were never served.",
  stores: ["memory", "redis"],
  async play(stage: Stage) {
    return { narrowFirst: await drain(stage, false), wideFirst: await drain(stage, true) };
  },
  isRight: ({ narrowFirst, wideFirst }) => narrowFirst === 200 && wideFirst === 200,
  tell: ({ narrowFirst, wideFirst }) =>
    `in the next window: ${wideFirst} when the wide limit is written first, ${narrowFirst} when it is written last`,
});

async function drain(stage: Stage, wideFirst: boolean): Promise<number> {
  const limits = wideFirst ? [perHour(5), NARROW] : [NARROW, perHour(5)];
  const app = await stage.serve({ limits });
  const from = wideFirst ? "203.0.113.1" : "203.0.113.2";
  await stage.windowStart(2_000);
  await times(10, () => app.get({ from }));
  await stage.at(1_600);
  await stage.at(2_500);
  return (await app.get({ from })).status;
}
