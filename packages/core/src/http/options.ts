import type { AlgorithmName } from "../domain/algorithm-name.ts";
import type { Decision } from "../domain/decision.ts";
import type { Limit, Policy, StoreErrorPolicy } from "../domain/policy.ts";
import type { MaybePromise, Store } from "../domain/store.ts";
import type { KeySource } from "../identity/key-source.ts";
import type { RequestView } from "../identity/request-view.ts";
import type { EventListener } from "../observe/events.ts";
import type { DecisionListener } from "../observe/observer.ts";
import type { Sample } from "../observe/sampler.ts";
import type { HeaderOptions } from "./header-options.ts";

/** One policy without a name: options that stand for it where the place names it. */
export interface PolicyShorthand<Raw = unknown> {
  /** A rate such as `"100/minute"`, whole units for `window`, or a function of the request that gives either. */
  readonly limit?: Limit | ((request: RequestView<Raw>) => MaybePromise<Limit>);
  /** With a whole number as `limit`: milliseconds or a duration string. */
  readonly window?: number | string;
  /** @defaultValue `"sliding-window-counter"` */
  readonly algorithm?: AlgorithmName;
  /** Buckets and gcra only. @defaultValue the limit */
  readonly burst?: number;
  /** leaky-bucket only. @defaultValue 0 */
  readonly delayAfter?: number;
  /** With `limit` as a function: used when that fails. */
  readonly fallbackLimit?: Limit;
  /** `"shadow"` decides and reports but never rejects. @defaultValue `"enforce"` */
  readonly mode?: "enforce" | "shadow";
}

/** A policy as adapters take it: with the key to count by, and the classes it is for. */
export interface HttpPolicy<Raw = unknown, Class extends string = string> extends Policy<RequestView<Raw>> {
  /** Whom to count. @defaultValue the limiter's `key` */
  readonly key?: KeySource<Raw>;
  /** Applies to these cost classes only. @defaultValue all */
  readonly only?: readonly Class[];
}

/**
 * A cost class in full, also as routes may write it in place of a name. Its policies, or the one policy that `limit` stands for and that is named like the
 * class, are for its requests alone and join the limiter's. Classes that name the same policy share its counter.
 */
export interface ClassOptions<Raw = unknown> extends PolicyShorthand<Raw> {
  /** Whole units >= 0. @defaultValue 1 */
  readonly cost?: number;
  /** Excludes `limit`. */
  readonly policies?: readonly HttpPolicy<Raw>[];
  /** With `limit`: whom to count. @defaultValue the limiter's `key` */
  readonly key?: KeySource<Raw>;
}

/** A finished response, for `settle`. */
export interface ResponseView<Res = unknown> {
  /** `undefined` when the client left before a head was sent. */
  readonly status: number | undefined;
  /** The connection closed before the response was complete. */
  readonly aborted: boolean;
  /** The framework's response. */
  readonly raw: Res;
}

/** What `respond` is told of a rejection. */
export interface RejectionView<Res = unknown> {
  readonly status: number;
  readonly decision: Decision | undefined;
  /** Names of the policies that deny. */
  readonly violated: readonly string[];
  /** Whole seconds; `undefined` when waiting does not help. */
  readonly retryAfter: number | undefined;
  /** The framework's response; when `respond` ends it itself, nothing else is written. */
  readonly response: Res;
}

/** A whole response, for `respond`. Any other object is taken as a JSON body, text as a plain body. */
export interface CustomResponse {
  /** @defaultValue that of the rejection, 429 */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Everything that can be said of a limiter, in every framework alike. All of it is checked once, at construction.
 *
 * @typeParam Raw - the framework's request.
 * @typeParam Class - names of the cost classes.
 * @typeParam Res - the framework's response.
 */
export interface RateLimitOptions<
  Raw = unknown,
  Class extends string = string,
  Res = unknown,
> extends PolicyShorthand<Raw> {
  /** Part of every state key; unique per store. @defaultValue `"default"` */
  readonly name?: string;
  /** Where counts live. @defaultValue a memory store of its own */
  readonly store?: Store;
  /** Several limiters of one process count in the same states on purpose. @defaultValue false */
  readonly shared?: boolean;

  /** All enforced policies of a request are charged, or none is. Excludes `limit`, which stands for one policy, named like the limiter. */
  readonly policies?: readonly HttpPolicy<Raw, NoInfer<Class>>[];
  /** Whom to count, for policies without a `key` of their own. Whoever it does not name is counted by address. @defaultValue the authenticated user where the framework has one, else the address */
  readonly key?: KeySource<Raw>;

  /** Cost classes by name: their cost, or cost and policies of their own. */
  readonly classes?: { readonly [name in Class]: number | ClassOptions<Raw> };
  /** For routes that name no class. Left out, these cost 1 and have no class. */
  readonly defaultClass?: NoInfer<Class>;
  /** Names the class of a request; `undefined` leaves it to `defaultClass`. An unknown one counts as the dearest. */
  readonly classify?: (request: RequestView<Raw>) => MaybePromise<NoInfer<Class> | undefined>;
  /** Cost of one request where the class does not tell; `undefined` leaves it to the class. */
  readonly cost?: (request: RequestView<Raw>) => MaybePromise<number | undefined>;

  /** Only `true` (or a promise of it) leaves the request uncounted; one that fails does not skip. */
  readonly skip?: (request: RequestView<Raw>) => MaybePromise<boolean>;
  /** Never counted: addresses, CIDR ranges, and keys as `user.key("42")` names them. */
  readonly allow?: readonly string[];
  /** Always refused with 403, in the same terms. */
  readonly deny?: readonly string[];
  /** CORS preflights are not counted. @defaultValue false */
  readonly skipPreflight?: boolean;
  /** Requests that no route matched are not counted. @defaultValue false */
  readonly skipNotFound?: boolean;

  /** `false` sets no header but Retry-After on rejections. */
  readonly headers?: HeaderOptions | false;
  /** Makes the body of a rejection. When it fails, the ordinary body is sent. */
  readonly respond?: (request: RequestView<Raw>, rejection: RejectionView<Res>) => MaybePromise<unknown>;
  /** Write the rejection, or give it to the framework's error handler. @defaultValue `"respond"` */
  readonly rejectWith?: "respond" | "throw";

  /** What the request cost in the end, in place of what admitting it was charged; `undefined` leaves it. Excludes the next two. Runs once for each admitted request, after its response. */
  readonly settle?: (response: ResponseView<Res>, request: RequestView<Raw>) => MaybePromise<number | undefined>;
  /** Gives back what successful requests (status below 400) were charged. @defaultValue false */
  readonly skipSuccessful?: boolean;
  /** Gives back what failed requests (status 400 and above, or a client that left before the head was sent) were charged. @defaultValue false */
  readonly skipFailed?: boolean;

  /** @defaultValue `"local"` with a shared store */
  readonly onStoreError?: StoreErrorPolicy;
  /** Bounds each decision, in ms. @defaultValue 100 */
  readonly storeTimeoutMs?: number;
  /** Bounds each limit function, in ms; then `fallbackLimit` or `onStoreError`. @defaultValue 1000 */
  readonly limitTimeoutMs?: number;
  /** How many processes share the store: `"local"` divides limits by it. @defaultValue 1 */
  readonly instances?: number;
  /** Failures in a row after which the store is not waited for any more, but probed in the background. @defaultValue 5 */
  readonly breakerThreshold?: number;
  /** Ms between two probes of a failing store. @defaultValue 500 */
  readonly probeIntervalMs?: number;

  /** Makes hashed keys useless to whoever reads the store or a record, and adds `pk` to draft headers. The same in all instances. */
  readonly secret?: string;
  /** Rotation: the new secret, then those whose counts still matter. Excludes `secret`. */
  readonly secrets?: readonly string[];
  /** Stores addresses and user ids hashed, as credentials always are. @defaultValue false */
  readonly hashKeys?: boolean;
  /** How long an asynchronous key function may take, in ms; then the next extractor decides. @defaultValue 1000 */
  readonly identityTimeoutMs?: number;

  /** How many requests a leaky bucket may hold back at once in this process. Closing the limiter lets them go on at once. @defaultValue 1000 */
  readonly maxDelayed?: number;
  /** What one more is answered: 503, since it is no fault of the caller's, or 429. Its charge is given back. @defaultValue 503 */
  readonly delayOverflow?: 429 | 503;
  /** The longest a request is held back, in ms; one that would wait longer is rejected. @defaultValue 60000 */
  readonly maxDelayMs?: number;

  /**
   * Told of decisions, as records that are ready for a logger. What it throws is swallowed.
   * @param request - left out for what was decided by hand.
   */
  readonly onDecision?: DecisionListener<RequestView<Raw> | undefined>;
  /** Told of the same decisions when their responses are complete, with `status` and `aborted`. What it throws is swallowed. */
  readonly onResponse?: DecisionListener<RequestView<Raw>>;
  /** Share of decisions that `onDecision` and `onResponse` hear of: one, or `{ admitted: 0.01, denied: 1 }`; 0 to 1. @defaultValue 1 */
  readonly sample?: Sample;
  /** Share of a capacity, 0 to 1, from which on a key is near its limit. @defaultValue 0.8 */
  readonly nearLimit?: number;
  /** Told of everything an operator should know that is no decision, such as outages and keys near their limit. */
  readonly onEvent?: EventListener;
}
