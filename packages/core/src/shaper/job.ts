/** What {@link Shaper.run} gives to the function it runs. */
export interface JobContext {
  /** Aborts when the caller of `run` does. */
  readonly signal: AbortSignal | undefined;
  /** Pauses the key for everyone for so many ms, as a `Retry-After` asks for. */
  pause(ms: number): void;
}

/** One queued call. */
export interface Job {
  readonly cost: number;
  /** Runs it and settles its promise; never rejects. */
  start(): Promise<void>;
  /** Settles its promise without running it. */
  fail(error: unknown): void;
}
