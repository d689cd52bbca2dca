import { story, type Stage } from "../story.ts";
import { admitted, perHour, times } from "../talk.ts";

export const ipv6Rotation = story({
  id: "ipv6-rotation",
  title: "An IPv6 subscriber is one client",
  why: "Everybody has 2^64 addresses or more. Counted one by one, there is no limit.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(3)] });
    return admitted(await times(10, (index) => app.get({ from: `2001:db8:1:2::${index + 1}` })));
  },
  isRight: (count) => count === 3,
  tell: (count) => `admits ${count} of 10 addresses of one /64 at a limit of 3`,
});
