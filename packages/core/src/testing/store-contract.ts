import { answers } from "./answers.ts";
import { blocks } from "./blocks.ts";
import { casesOfArithmetic } from "./cases-of-arithmetic.ts";
import { casesOfChange } from "./cases-of-change.ts";
import { casesOfClocks } from "./cases-of-clocks.ts";
import { corrections } from "./corrections.ts";
import { decisions } from "./decisions.ts";
import { histories } from "./histories.ts";
import { isolation } from "./isolation.ts";
import type { Promises } from "./promises.ts";
import { newScenario, type Capabilities, type StoreFactory } from "./scenario.ts";

/** What the suite needs of a test runner; the globals of jest, mocha and vitest will do. */
export interface Runner {
  describe(name: string, register: () => void): void;
  test(name: string, run: () => Promise<void>, timeoutMs?: number): void;
}

const GROUPS = { decisions, answers, corrections, blocks, isolation, casesOfArithmetic, casesOfChange, casesOfClocks };

/**
 * Registers what every store must do. Run it once for each store; it needs no knowledge of which.
 *
 * @param name - what the group of tests is called.
 * @param createStore - makes an empty store that reads the given clock; each test calls it anew.
 * @param runner - whose `describe` and `test` register the tests. @defaultValue the globals
 */
export function describeStoreContract(
  name: string,
  createStore: StoreFactory,
  capabilities: Capabilities = {},
  runner: Runner = globalThis as unknown as Runner,
): void {
  const { describe, test } = runner;
  describe(`${name} keeps the store contract`, () => {
    const promises: Promises = (sentence, run) =>
      test(
        sentence,
        async () => {
          const scenario = await newScenario(createStore);
          try {
            await run(scenario);
          } finally {
            await scenario.store.close();
          }
        },
        30_000,
      );
    for (const group of Object.values(GROUPS)) group(promises, capabilities);
    histories((property, run) => test(property, run, 120_000), createStore, capabilities);
  });
}
