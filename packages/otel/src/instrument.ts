import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { CHANNELS, ConfigError, type DecisionRecord, type LimiterEvent, type StoreMessage } from "@aforo/core";
import { requireInteger, requireKnownOptions } from "@aforo/core/adapter";
import { diag, metrics, type MeterProvider } from "@opentelemetry/api";
import { DistinctKeys } from "./distinct-keys.ts";
import { Gauges } from "./gauges.ts";
import { Metrics } from "./metrics.ts";
import { describeOnSpan } from "./spans.ts";

/** What {@link instrument} takes. */
export interface InstrumentOptions {
  /** @defaultValue the global one, as it is when `instrument` is called */
  readonly meterProvider?: MeterProvider;
  /** Writes each decision on the active span. @defaultValue true */
  readonly spans?: boolean;
  /** Over how many ms distinct keys are counted, 1,000 to 86,400,000; `false` does not count them. @defaultValue 300,000 */
  readonly distinctKeys?: number | false;
}

/** What {@link instrument} began. */
export interface Instrumentation {
  /** Ends it: a decision then costs nothing more. Idempotent. */
  stop(): void;
}

const OPTIONS = ["meterProvider", "spans", "distinctKeys"];
const FIVE_MINUTES = 300_000;

/**
 * Counts every decision of every limiter in this process, and describes it on the active span. Call it once, after the
 * SDK has been set up; a second call counts everything a second time.
 *
 * @throws ConfigError for unknown or wrong options.
 * @example
 * const instrumentation = instrument();
 */
export function instrument(options: InstrumentOptions = {}): Instrumentation {
  requireKnownOptions("instrument", options, OPTIONS);
  const { meterProvider, spans = true, distinctKeys = FIVE_MINUTES } = options as InstrumentOptions;
  if (typeof spans !== "boolean") {
    throw new ConfigError("ERR_AFORO_INVALID_OPTION", `"spans" must be true or false, got ${typeof spans}`);
  }
  if (meterProvider !== undefined && typeof meterProvider?.getMeter !== "function") {
    throw new ConfigError(
      "ERR_AFORO_INVALID_OPTION",
      `"meterProvider" must have a getMeter, got ${typeof meterProvider}`,
    );
  }
  const windowMs = distinctKeys === false ? 0 : requireInteger("distinctKeys", distinctKeys, 1_000, 86_400_000);
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter("@aforo/otel");
  const keys = windowMs === 0 ? undefined : new DistinctKeys(windowMs, () => performance.now());
  const counting = new Metrics(meter);
  const gauges = new Gauges(meter, keys);

  const listeners = [
    listen(CHANNELS.decision, (record: DecisionRecord) => {
      counting.decision(record);
      gauges.decision(record);
      keys?.add(record);
      if (spans) describeOnSpan(record);
    }),
    listen(CHANNELS.response, (record: DecisionRecord) => counting.response(record)),
    listen(CHANNELS.store, (message: StoreMessage) => {
      counting.store(message);
      gauges.store(message);
    }),
    listen(CHANNELS.event, (event: LimiterEvent) => counting.event(event)),
  ];
  return {
    stop() {
      for (const unlisten of listeners) unlisten();
      counting.stop();
      gauges.stop();
    },
  };
}

/** What a subscriber throws would end the process. */
function listen(channel: string, hear: (message: never) => void): () => void {
  const guarded = (message: unknown): void => {
    try {
      hear(message as never);
    } catch (error) {
      diag.error("@aforo/otel could not count", error);
    }
  };
  subscribe(channel, guarded);
  return () => void unsubscribe(channel, guarded);
}
