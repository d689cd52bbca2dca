import type { Scenario } from "./scenario.ts";

/** Registers one promise; `run` throws where a store breaks it. */
export type Promises = (sentence: string, run: (scenario: Scenario) => Promise<void>) => void;
