/** What a response says of one policy's quota. Times are whole milliseconds, relative to the response. */
export interface Quota {
  /** The policy's name; `""` where the header has none (X-RateLimit, draft-6, draft-7). */
  readonly policy: string;
  /** What the quota is counted for, as opaque text (the `pk` parameter); `undefined` when not stated. */
  readonly partition: string | undefined;
  /** Units that may be used right now; whole, 0 or more. */
  readonly remaining: number;
  /** The wait until the quota is available again, 0 or more; `undefined` when not stated. */
  readonly resetMs: number | undefined;
  /** Units admitted per window; `undefined` when not stated. */
  readonly limit: number | undefined;
  /** The window; `undefined` when not stated. */
  readonly windowMs: number | undefined;
}

/** A policy as `RateLimit-Policy` declares it. */
export interface QuotaPolicy {
  /** The policy's name; `""` in draft-6 and draft-7. */
  readonly policy: string;
  /** See {@link Quota.partition}. */
  readonly partition: string | undefined;
  /** Units admitted per window; whole, 0 or more. */
  readonly limit: number;
  /** The window in milliseconds; `undefined` when not stated. */
  readonly windowMs: number | undefined;
  /** What is counted: `"requests"` unless the server says otherwise. */
  readonly unit: string;
}
