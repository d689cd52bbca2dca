/** One limit on each request: so many per window, for each client address. */
export interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** What a story wants of a limited application. All that is left out is the subject's default. */
export interface Setup {
  /** All of them apply to each request. */
  readonly limits: readonly Limit[];
  /** Counts live in this Redis; in memory when left out. */
  readonly redis?: string | undefined;
  /** Requests say in a header `cost` how much they cost. */
  readonly costs?: boolean;
  /** Requests answered with 400 or above do not count. */
  readonly failedAreFree?: boolean;
  /** The memory store remembers so many keys at most. */
  readonly keysAtMost?: number;
  /** Requests say in a header `plan` which of these limits is theirs, in place of that of `limits`. */
  readonly plans?: Readonly<Record<string, number>>;
  /** While Redis fails, requests pass. */
  readonly admitsInOutage?: boolean;
  /** While Redis fails, each process goes on limiting by itself. */
  readonly limitsInOutage?: boolean;
  /** Whoever exceeds the limit stays out for this long. */
  readonly blockMs?: number;
  /** Requests that come at once wait so that they pass evenly. */
  readonly spaced?: boolean;
  /** Decides and counts, but rejects nobody; the application reports how many it would have rejected. */
  readonly dryRun?: boolean;
  /** Clients over their limit cause few calls to Redis. */
  readonly sparesRedis?: boolean;
  /** The IETF's RateLimit fields. */
  readonly ietfFields?: boolean;
  /** The application marks its responses as cacheable, in front of the limiter. */
  readonly cacheable?: boolean;
  /** The option that holds the limit is misspelled. */
  readonly misspelled?: boolean;
  /** The application is a function from `Request` to `Response`, as edge runtimes want it. */
  readonly fetch?: boolean;
}

/** What a subject may lack. */
export type Feature = Exclude<keyof Setup, "limits"> | "severalLimits" | "reset";

/** A limited application that runs. */
export interface App {
  readonly url: string;
  /** Forgets what was counted for an address. */
  readonly reset?: (address: string) => Promise<void>;
  /** With `dryRun`: how many requests would have been rejected so far. */
  readonly wouldReject?: () => number;
  /** With `fetch`: answers without a server. */
  readonly fetch?: (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

/** A rate limiter that stories are played on, configured as its documentation recommends. */
export interface Subject {
  readonly name: string;
  /** Packages that take part, as they are installed. */
  readonly packages: readonly string[];
  /** What it has no option for, and what there is instead. */
  readonly lacks: { readonly [feature in Feature]?: string };
  /**
   * Starts an application; called only with what the subject does not lack.
   * @param clock - for subjects that take one.
   */
  serve(setup: Setup, clock: (() => number) | undefined): Promise<App>;
}

/** The features that a setup uses. */
export function featuresOf(setup: Setup): readonly Feature[] {
  const { limits, ...rest } = setup;
  const used = Object.entries(rest).filter(([, value]) => value !== undefined && value !== false);
  const features = used.map(([name]) => name as Feature);
  return limits.length > 1 ? [...features, "severalLimits"] : features;
}
