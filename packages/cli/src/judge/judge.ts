import type { MaybePromise } from "@aforo/core";
import type { RequestView } from "@aforo/core/adapter";

/** One request on its way from the log, or from made-up traffic, to the judges. */
export interface JudgedRequest {
  /** Whole epoch ms, never before that of the request before. */
  time: number;
  /** Whole units. */
  cost: number;
  /** For each key specification of the run, the number of the caller by it. */
  readonly callers: Int32Array;
  /** The request as an application would see it, for judges that need it. */
  view: RequestView | undefined;
}

/** Decides requests as a limiter with some policies would have. */
export interface Judge {
  /** Whether the request would have been admitted. */
  decide(request: JudgedRequest): MaybePromise<boolean>;
  /** What else would have been said of the request that was just decided. */
  answer(): JudgeAnswer;
}

/** The numbers that a server's headers tell. */
export interface JudgeAnswer {
  readonly capacity: number;
  readonly remaining: number;
  readonly resetMs: number;
  /** Ms until it would be admitted; 0 when it was, `Infinity` for never. */
  readonly retryAfterMs: number;
  /** Ms for which it is held back when admitted; leaky-bucket only. */
  readonly delayMs: number;
}

/** One set of policies, and what is said of it. */
export interface Scenario {
  /** Shown in reports; unique in a run. */
  readonly label: string;
  /** Those whose numbers do not depend on the request. */
  readonly policies: readonly PolicyLine[];
  readonly judge: Judge;
  /** Whether the judge looks at the request's view. */
  readonly needsView: boolean;
  /** Whether admitted requests may be held back. */
  readonly delays: boolean;
}

/** What reports say of a policy. */
export interface PolicyLine {
  readonly name: string;
  readonly algorithm: string;
  /** Units per window. */
  readonly limit: number;
  /** Milliseconds. */
  readonly window: number;
  readonly capacity: number;
  readonly key: string;
}
