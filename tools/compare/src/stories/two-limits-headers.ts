import type { Reply } from "../client.ts";
import { story, type Stage } from "../story.ts";
import { perHour } from "../talk.ts";

export const twoLimitsHeaders = story({
  id: "two-limits-headers",
  title: "With two limits the headers tell of the tighter one",
  why: "A client that paces itself by the headers must not be told of 99 left when the other limit leaves it 9.",
  stores: ["memory"],
  async play(stage: Stage) {
    const tight = perHour(10);
    const wide = { ...perHour(100), name: "wide" };
    const a = await stage.serve({ limits: [tight, wide] });
    const b = await stage.serve({ limits: [wide, tight] });
    return { tightFirst: remaining(await a.get()), wideFirst: remaining(await b.get()) };
  },
  isRight: ({ tightFirst, wideFirst }) => Math.min(...tightFirst) === 9 && Math.min(...wideFirst) === 9,
  tell: ({ tightFirst, wideFirst }) =>
    `tells of ${words(tightFirst)} left, of ${words(wideFirst)} when written the other way round`,
});

/** What a client learns of what is left, from whichever of the usual headers there are. */
function remaining({ headers }: Reply): readonly number[] {
  const list = [...String(headers["ratelimit"] ?? "").matchAll(/r(?:emaining)?=(\d+)/g)].map(([, digits]) => digits);
  const single = [headers["x-ratelimit-remaining"], headers["ratelimit-remaining"]];
  return [...list, ...single].filter((value) => value !== undefined).map(Number);
}

function words(values: readonly number[]): string {
  return values.length === 0 ? "nothing" : values.join(" and ");
}
