import { quotaItem } from "./draft-6.ts";
import { integer, type DraftProfile } from "./draft.ts";

/** One dictionary for the tightest policy: `RateLimit: limit=120, remaining=7, reset=19`, and a list of all. */
export const draft7: DraftProfile = {
  names: ["RateLimit", "RateLimit-Policy"],
  setHeaders(sink, items, { policy, reset }) {
    sink.setHeader(
      "RateLimit",
      `limit=${integer(policy.capacity)}, remaining=${integer(policy.remaining)}, reset=${integer(reset)}`,
    );
    sink.setHeader("RateLimit-Policy", items.map((item) => quotaItem(item.policy)).join(", "));
  },
};
