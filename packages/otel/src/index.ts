export { instrument } from "./instrument.ts";
export type { Instrumentation, InstrumentOptions } from "./instrument.ts";
export { ATTRIBUTES, METRICS } from "./names.ts";
