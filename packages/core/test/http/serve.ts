import {
  createHttpLimiter,
  type HttpLimiter,
  type Outcome,
  type RateLimitOptions,
  type RejectionError,
} from "../../src/adapter.ts";
import { memoryStore } from "../../src/memory/memory-store.ts";
import type { LimiterEvent } from "../../src/observe/events.ts";
import { manualClock, type ManualClock } from "../../src/testing/manual-clock.ts";
import { FakeExchange, type Asked } from "./fake-exchange.ts";

export type Options = RateLimitOptions<object, string, string>;

/** What became of one request. */
export interface Served {
  /** 200 when it went on to the handler. */
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
  readonly json: Record<string, unknown>;
  readonly error: RejectionError | undefined;
  readonly outcome: Outcome;
  readonly exchange: FakeExchange;
}

/** A limiter under test: `get` asks it about a request, and reads the answer as a client would. */
export interface Subject {
  readonly http: HttpLimiter<object, string, string>;
  readonly clock: ManualClock;
  readonly events: LimiterEvent[];
  get(asked?: Asked, className?: string): Promise<Served>;
  /** Statuses of that many equal requests. */
  statuses(count: number, asked?: Asked, className?: string): Promise<number[]>;
}

export function limit(options: Options, clock: ManualClock = manualClock()): Subject {
  const events: LimiterEvent[] = [];
  const http = createHttpLimiter<object, string, string>(
    { store: memoryStore({ clock }), onEvent: (event) => void events.push(event), ...options },
    { name: "test" },
  );
  const get = async (asked?: Asked, className?: string): Promise<Served> => {
    const exchange = new FakeExchange(asked);
    return read(exchange, await http.meet(exchange, exchange, className));
  };
  return {
    http,
    clock,
    events,
    get,
    async statuses(count, asked, className) {
      const statuses: number[] = [];
      while (statuses.length < count) statuses.push((await get(asked, className)).status);
      return statuses;
    },
  };
}

/** A limiter of fixed windows, whose numbers are easy to follow. */
export function fixed(rate: string, options: Options = {}, clock?: ManualClock): Subject {
  return limit({ limit: rate, algorithm: "fixed-window", ...options }, clock);
}

export function read(exchange: FakeExchange, outcome: Outcome): Served {
  const rejection = outcome.action === "reject" ? outcome.rejection : undefined;
  const body = rejection === undefined ? "" : String(rejection.body);
  return {
    status: rejection?.status ?? (outcome.action === "go" ? 200 : 0),
    header: (name) => exchange.getHeader(name),
    body,
    get json() {
      return JSON.parse(body) as Record<string, unknown>;
    },
    error: rejection?.error,
    outcome,
    exchange,
  };
}
