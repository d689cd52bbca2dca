import fc from "fast-check";
import { START, historyOf, type HistoryOptions } from "./history.ts";
import { manualClock } from "./manual-clock.ts";
import { playTwice } from "./play-twice.ts";
import { referenceStore } from "./reference-store.ts";
import type { StoreFactory } from "./scenario.ts";

/** Plays so many random histories on a new store each. Throws the smallest that is answered otherwise than by the reference store. */
export async function checkHistories(createStore: StoreFactory, options: HistoryOptions, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(historyOf(options), async (history) => {
      const clock = manualClock(START);
      const store = await createStore(clock);
      try {
        await playTwice(history, clock, store, referenceStore(clock));
      } finally {
        await store.close();
      }
    }),
    { numRuns: runs },
  );
}
