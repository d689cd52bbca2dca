import { BoundedMap } from "./bounded-map.ts";
import type { ResolvedOptions } from "./options.ts";
import type { FetchOutcome } from "./outcome.ts";
import { OriginPacer } from "./pace/origin-pacer.ts";
import { RetryBudget } from "./retry/retry-budget.ts";
import { createTime, type Time } from "./time.ts";
import { AbortRelay } from "./transport/abort-relay.ts";

/** What the calls to one origin share. */
export interface OriginState {
  /** `undefined` when pacing is off. */
  readonly pacer: OriginPacer | undefined;
  /** `undefined` when the budget is off. */
  readonly budget: RetryBudget | undefined;
}

const ORIGINS_KEPT = 1000;

/** What all calls of one `createFetch` share. */
export class Client {
  readonly options: ResolvedOptions;
  readonly time: Time;
  readonly relay: AbortRelay = new AbortRelay();
  readonly outcomes: WeakMap<object, FetchOutcome> = new WeakMap();
  readonly #origins = new BoundedMap<string, OriginState>(ORIGINS_KEPT, ({ pacer }) => pacer?.isIdle ?? true);
  #tickets = 0;

  constructor(options: ResolvedOptions) {
    this.options = options;
    this.time = createTime(options.clock, options.sleep);
  }

  originState(origin: string): OriginState {
    const { pace, budget, random, maxDelayMs } = this.options;
    return this.#origins.getOrCreate(origin, () => ({
      pacer: pace ? new OriginPacer(this.time, random, maxDelayMs) : undefined,
      budget: budget === false ? undefined : new RetryBudget(budget, this.time.elapsed),
    }));
  }

  /** A number that grows from call to call. */
  nextTicket(): number {
    this.#tickets += 1;
    return this.#tickets;
  }
}
