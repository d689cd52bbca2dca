import { integer, windowSeconds, type DraftProfile } from "./draft.ts";

/** Three fields for the tightest policy, and a list of all: `RateLimit-Policy: 120;w=60, 1000;w=3600`. */
export const draft6: DraftProfile = {
  names: ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"],
  setHeaders(sink, items, { policy, reset }) {
    sink.setHeader("RateLimit-Limit", integer(policy.capacity));
    sink.setHeader("RateLimit-Remaining", integer(policy.remaining));
    sink.setHeader("RateLimit-Reset", integer(reset));
    sink.setHeader("RateLimit-Policy", items.map((item) => quotaItem(item.policy)).join(", "));
  },
};

/** A quota policy as revisions 4 to 7 write it. */
export function quotaItem(policy: Parameters<typeof windowSeconds>[0]): string {
  return `${integer(policy.capacity)};w=${integer(windowSeconds(policy))}`;
}
