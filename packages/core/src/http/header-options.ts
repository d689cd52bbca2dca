/** Which headers responses carry. */
export interface HeaderOptions {
  /** `X-RateLimit-Limit`, `-Remaining` and `-Reset`. @defaultValue true */
  readonly legacy?: boolean;
  /** `X-RateLimit-Reset` as seconds since the epoch or seconds from now. @defaultValue `"epoch"` */
  readonly reset?: "epoch" | "delta";
  /** @defaultValue `"seconds"` */
  readonly retryAfter?: "seconds" | "http-date";
  /** Adds the IETF fields in the syntax of that revision. */
  readonly draft?: "draft-6" | "draft-7" | "draft-11";
  /** Merges every emitted name into `Access-Control-Expose-Headers`, for scripts of other origins. @defaultValue false */
  readonly expose?: boolean;
}
