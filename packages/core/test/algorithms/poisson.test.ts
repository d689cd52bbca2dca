import { resolvePolicy } from "../../src/domain/resolved-policy.ts";
import { manualClock } from "../../src/testing/manual-clock.ts";
import { referenceStore } from "../../src/testing/reference-store.ts";
import { poissonArrivals } from "../vectors/vector.ts";

describe("Poisson arrivals at 6 a second for 30 s, by a published experiment", () => {
  const { arrivalsMs, results } = poissonArrivals();

  for (const [name, { policy: numbers, allowed, rejected }] of Object.entries(results)) {
    test(`${name} admits ${allowed} of ${allowed + rejected}`, () => {
      const policy = resolvePolicy(
        { limiter: "poisson", name, shadow: false, burst: undefined, delayAfter: undefined, ...numbers },
        "limit",
      );
      const clock = manualClock();
      const store = referenceStore(clock);
      const admitted = arrivalsMs.filter((at) => {
        clock.set(at);
        return store.consume([{ policy, stateKey: "k", cost: 1 }]).allowed;
      });
      expect(admitted).toHaveLength(allowed);
      expect(arrivalsMs).toHaveLength(allowed + rejected);
    });
  }
});
