import { integer, windowSeconds, type DraftItem, type DraftProfile } from "./draft.ts";

/** Two lists, an item for each policy: `RateLimit: "account";r=7;t=19`, `RateLimit-Policy: "account";q=120;w=60`. */
export const draft11: DraftProfile = {
  names: ["RateLimit-Policy", "RateLimit"],
  setHeaders(sink, items) {
    sink.setHeader(
      "RateLimit-Policy",
      items
        .map(
          (item) =>
            `"${item.name}";q=${integer(item.policy.capacity)};w=${integer(windowSeconds(item.policy))}${partition(item)}`,
        )
        .join(", "),
    );
    sink.setHeader(
      "RateLimit",
      items
        .map((item) => `"${item.name}";r=${integer(item.policy.remaining)};t=${integer(item.reset)}${partition(item)}`)
        .join(", "),
    );
  },
};

/** A byte sequence (RFC 9651, 3.3.5). */
function partition({ partition }: DraftItem): string {
  return partition === undefined ? "" : `;pk=:${partition}:`;
}
