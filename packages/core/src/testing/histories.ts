import { ALGORITHMS } from "../domain/algorithm-name.ts";
import type { HistoryOptions } from "./history.ts";
import type { Capabilities, StoreFactory } from "./scenario.ts";

/** Random histories: the store must answer what the reference store answers, number by number. */
export function histories(
  register: (property: string, run: () => Promise<void>) => void,
  createStore: StoreFactory,
  { atomicAcrossKeys = true, runs = 100 }: Capabilities,
): void {
  // Loaded when first needed: whoever only wants a clock need not have fast-check.
  const check = async (options: HistoryOptions): Promise<void> => {
    const { checkHistories } = await import("./check-histories.ts");
    await checkHistories(createStore, options, runs);
  };
  for (const algorithm of ALGORITHMS) {
    register(`property: every history of ${algorithm} is answered as by the reference store`, () =>
      check({ algorithms: [algorithm], policies: 1, keysPerCall: 1 }),
    );
  }
  register("property: so is every history of several policies", () =>
    check({ algorithms: ALGORITHMS, policies: 3, keysPerCall: atomicAcrossKeys ? 3 : 1 }),
  );
}
