import { isPromise, type MaybePromise } from "./maybe.ts";
import {
  createHttpLimiter,
  type HttpLimiter,
  type Outcome,
  type RateLimitOptions,
  type RequestHandle,
  type RequestView,
  type ResponsePort,
} from "@aforo/core/adapter";
import type { LoggedRequest } from "../policy/log-view.ts";
import { roomyStore } from "./roomy-store.ts";
import type { Judge, JudgeAnswer, JudgedRequest } from "./judge.ts";

/**
 * Decides by the whole HTTP contract, as an application with these options would: key functions, cost classes, limit
 * functions, `skip`, and what `settle` gives back once the logged response is known. Slower than the store alone.
 */
export class AppJudge implements Judge {
  readonly limiter: HttpLimiter<LoggedRequest>;
  #now = 0;
  #handle: RequestHandle | undefined;

  /** @throws ConfigError when the options are not exactly right. */
  constructor(options: RateLimitOptions<LoggedRequest>) {
    const store = roomyStore(() => this.#now);
    this.limiter = createHttpLimiter({ ...withoutWaiting(options), store, headers: false }, { name: "aforo replay" });
  }

  decide({ time, view }: JudgedRequest): MaybePromise<boolean> {
    this.#now = time;
    const request = view as RequestView<LoggedRequest>;
    const port = new LoggedResponse();
    const outcome = this.limiter.meet(request, port);
    return isPromise(outcome)
      ? outcome.then((settled) => this.#end(request, port, settled))
      : this.#end(request, port, outcome);
  }

  answer(): JudgeAnswer {
    const { limit = 0, remaining = 0, resetMs = 0, retryAfterMs = 0 } = this.#handle ?? {};
    return { capacity: limit, remaining, resetMs, retryAfterMs, delayMs: 0 };
  }

  #end({ raw }: RequestView<LoggedRequest>, port: LoggedResponse, { action }: Outcome): boolean {
    this.#handle = this.limiter.handleOf(raw);
    if (action === "go") port.end(Number(raw.line.field("status") ?? 200));
    return action === "go";
  }
}

/** A leaky bucket would hold requests back in real time; a token bucket admits the very same ones. */
function withoutWaiting(options: RateLimitOptions<LoggedRequest>): RateLimitOptions<LoggedRequest> {
  const plain = <T extends { algorithm?: unknown; delayAfter?: unknown }>(policy: T): T => {
    if (policy.algorithm !== "leaky-bucket") return policy;
    const { delayAfter: _, ...rest } = policy;
    return { ...rest, algorithm: "token-bucket" } as T;
  };
  const classes = Object.entries(options.classes ?? {}).map(([name, each]) => [
    name,
    typeof each === "object" && each.policies !== undefined ? { ...each, policies: each.policies.map(plain) } : each,
  ]);
  return {
    ...plain(options),
    ...(options.policies === undefined ? {} : { policies: options.policies.map(plain) }),
    ...(options.classes === undefined
      ? {}
      : { classes: Object.fromEntries(classes) as NonNullable<typeof options.classes> }),
  };
}

/** The response that the log tells of: nobody reads what is written on it. */
class LoggedResponse implements ResponsePort<undefined> {
  readonly closed = false;
  readonly headSent = false;
  readonly unreadBody = false;
  readonly response = undefined;
  #listeners: ((status: number | undefined, aborted: boolean) => void)[] = [];

  getHeader(): undefined {
    return undefined;
  }

  setHeader(): void {}

  removeHeader(): void {}

  onEnd(listener: (status: number | undefined, aborted: boolean) => void): void {
    this.#listeners.push(listener);
  }

  end(status: number): void {
    for (const listener of this.#listeners) listener(status, false);
  }
}
