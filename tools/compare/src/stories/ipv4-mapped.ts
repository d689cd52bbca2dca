import { story, type Stage } from "../story.ts";
import { perHour, statuses } from "../talk.ts";

export const ipv4Mapped = story({
  id: "ipv4-mapped",
  title: "An IPv4 address is the same client in either spelling",
  why: "Dual-stack listeners write ::ffff:203.0.113.9: as another client it doubles the limit, as an IPv6 prefix it makes all of IPv4 one client.",
  stores: ["memory"],
  async play(stage: Stage) {
    const app = await stage.serve({ limits: [perHour(1)] });
    const addresses = ["203.0.113.9", "::ffff:203.0.113.9", "::ffff:198.51.100.7"];
    return [
      await app.get({ from: addresses[0] as string }),
      await app.get({ from: addresses[1] as string }),
      await app.get({ from: addresses[2] as string }),
    ];
  },
  isRight: (replies) => statuses(replies) === "200 429 200",
  tell: (replies) => `plain, mapped, another mapped: ${statuses(replies)}`,
});
