// What it costs to be watched: decisions of the memory store while nobody listens, and with each kind of listener, as
// ratios. All variants take turns in one process, round by round, so that the machine's moods hit all of them alike.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createLimiter, memoryStore } from "@aforo/core";
import { instrument } from "@aforo/otel";
import { MeterProvider } from "@opentelemetry/sdk-metrics";

const rounds = Number(process.argv.find((argument) => argument.startsWith("--rounds="))?.slice(9) ?? 15);
const decisions = 20_000;
const keys = Array.from({ length: 10_000 }, (_, index) => `user:${index}`);
const nothing = () => {};

/** @type {Record<string, { options?: object, begin?: () => () => void }>} */
const variants = {
  "nobody listens": {},
  "onEvent, for keys near their limit": { options: { onEvent: nothing } },
  "onDecision, a sample of 1 %": { options: { onDecision: nothing, sample: 0.01 } },
  "onDecision, every denial and 1 % of the rest": { options: { onDecision: nothing, sample: { admitted: 0.01 } } },
  "onDecision, all": { options: { onDecision: nothing } },
  "a subscriber of aforo:decision": { begin: subscribed },
  "metrics of @aforo/otel": { begin: () => instrumented({ spans: false }) },
  "metrics without distinct keys": { begin: () => instrumented({ spans: false, distinctKeys: false }) },
};

const measured = Object.entries(variants).map(([name, { options, begin }]) => ({
  name,
  begin,
  limiter: createLimiter({
    name: name.replaceAll(/\W/g, "-"),
    store: memoryStore(),
    policies: [{ name: "minute", limit: "1000000/minute" }],
    ...options,
  }),
  /** @type {number[]} CPU ns a decision, by round. */
  ns: [],
}));

for (let round = -3; round < rounds; round++) {
  for (const { begin, limiter, ns } of measured) {
    const end = begin?.();
    const start = process.cpuUsage();
    for (let index = 0, key = 0; index < decisions; index++) {
      limiter.consume(/** @type {string} */ (keys[key]));
      key = (key + 7_919) % keys.length;
    }
    // The first rounds warm the code up.
    const { user, system } = process.cpuUsage(start);
    if (round >= 0) ns.push(((user + system) * 1_000) / decisions);
    end?.();
  }
}

const quiet = measured[0]?.ns ?? [];
console.log("what listens".padEnd(48), "CPU ns a decision", "ratio to nobody".padStart(17));
for (const { name, ns } of measured) {
  const ratio = median(ns.map((each, round) => each / (quiet[round] ?? NaN)));
  console.log(name.padEnd(48), median(ns).toFixed(0).padStart(17), ratio.toFixed(2).padStart(17));
}

function subscribed() {
  subscribe("aforo:decision", nothing);
  return () => unsubscribe("aforo:decision", nothing);
}

/** @param {object} options */
function instrumented(options) {
  const instrumentation = instrument({ meterProvider: new MeterProvider(), ...options });
  return () => instrumentation.stop();
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = numbers.slice().sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
