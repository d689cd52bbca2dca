import { subscribe } from "node:diagnostics_channel";
import { createLimiter, memoryStore } from "@aforo/core";
import { instrument } from "@aforo/otel";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { FreshKeys } from "../measure/keys.js";

const batch = 1_000;
const nothing = () => {};

/** @type {Record<string, { options?: object, begin?: () => unknown }>} */
const listeners = {
  "nobody listens": {},
  "onEvent, for keys near their limit": { options: { onEvent: nothing } },
  "onDecision, a sample of 1 %": { options: { onDecision: nothing, sample: 0.01 } },
  "onDecision, every denial and 1 % of the rest": { options: { onDecision: nothing, sample: { admitted: 0.01 } } },
  "onDecision, all": { options: { onDecision: nothing } },
  "a subscriber of aforo:decision": { begin: () => subscribe("aforo:decision", nothing) },
  "metrics of @aforo/otel": { begin: () => instrumented({}) },
  "metrics without distinct keys": { begin: () => instrumented({ distinctKeys: false }) },
};

/** @param {{ name: string }} options */
export function start({ name }) {
  listeners[name]?.begin?.();
  const limiter = createLimiter({
    store: memoryStore(),
    policies: [{ name: "minute", limit: "1000000/minute" }],
    ...listeners[name]?.options,
  });
  const fresh = new FreshKeys(10_000);
  let at = 0;

  return {
    round(/** @type {{ batches: number }} */ { batches }) {
      let cpuUs = 0;
      let allowed = 0;
      for (let count = 0; count < batches; count++) {
        const keys = Array.from({ length: batch }, () => fresh.at((at = (at + 7_919) % fresh.count)));
        const cpu = process.cpuUsage();
        for (const key of keys) if (limiter.consume(key).allowed) allowed++;
        const { user, system } = process.cpuUsage(cpu);
        cpuUs += user + system;
      }
      if (allowed < batches * batch) throw new Error("some were denied");
      return { cpuNs: (cpuUs * 1000) / batches / batch };
    },
  };
}

/** @param {object} options */
function instrumented(options) {
  return instrument({ meterProvider: new MeterProvider(), spans: false, ...options });
}
