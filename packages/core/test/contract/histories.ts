import fc from "fast-check";
import { ALGORITHMS } from "../../src/domain/algorithm-name.ts";
import { manualClock } from "../support/manual-clock.ts";
import { referenceStore } from "../support/reference-store.ts";
import { START, historyOf, type History } from "./history.ts";
import { playTwice } from "./play-twice.ts";
import type { Capabilities, StoreFactory } from "./scenario.ts";

/** Random histories: the store must answer what the reference store answers, number by number. */
export function histories(
  register: (property: string, run: () => Promise<void>) => void,
  createStore: StoreFactory,
  { atomicAcrossKeys = true, runs = 100 }: Capabilities,
): void {
  const check = (history: fc.Arbitrary<History>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(history, async (each) => {
        const clock = manualClock(START);
        const store = await createStore(clock);
        try {
          await playTwice(each, clock, store, referenceStore(clock));
        } finally {
          await store.close();
        }
      }),
      { numRuns: runs },
    );

  for (const algorithm of ALGORITHMS) {
    register(`property: every history of ${algorithm} is answered as by the reference store`, () =>
      check(historyOf({ algorithms: [algorithm], policies: 1, keysPerCall: 1 })),
    );
  }
  register("property: so is every history of several policies", () =>
    check(historyOf({ algorithms: ALGORITHMS, policies: 3, keysPerCall: atomicAcrossKeys ? 3 : 1 })),
  );
}
