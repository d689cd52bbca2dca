import type { PolicyDecision } from "../../domain/decision.ts";
import type { HeaderSink } from "./header-sink.ts";

/** One policy as the IETF fields show it. */
export interface DraftItem {
  /** Unique among the items of a response. */
  readonly name: string;
  readonly policy: PolicyDecision;
  /** Whole seconds until to come back, or until the whole capacity is available. */
  readonly reset: number;
  /** Which of a client's requests count together, in base64; `undefined` without a secret. */
  readonly partition: string | undefined;
}

/** One revision of draft-ietf-httpapi-ratelimit-headers; its syntax, not a claim to compliance. */
export interface DraftProfile {
  readonly names: readonly string[];
  /** @param items - at least one, in the order of the policies. @param tightest - the one that says most. */
  setHeaders(sink: HeaderSink, items: readonly DraftItem[], tightest: DraftItem): void;
}

/** A Structured Fields integer has at most 15 digits (RFC 9651, 3.3.1). */
const LARGEST_INTEGER = 999_999_999_999_999;

export function integer(value: number): string {
  return String(Math.min(value, LARGEST_INTEGER));
}

/** Whole seconds that the quota is for: the window; for buckets, whose quota is the capacity, the time to fill. */
export function windowSeconds({ algorithm, limit, window, capacity }: PolicyDecision): number {
  const bucket = algorithm === "token-bucket" || algorithm === "gcra" || algorithm === "leaky-bucket";
  const ms = bucket && limit > 0 ? (capacity * window) / limit : window;
  return Math.ceil(ms / 1_000);
}
