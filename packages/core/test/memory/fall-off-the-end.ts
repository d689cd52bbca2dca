import { memoryStore } from "../../src/memory/memory-store.ts";
import { policyOf } from "./policy-of.ts";

// One decision, and nothing else to do: prints how long the process went on.
memoryStore().consume([{ policy: policyOf(), stateKey: "somebody", cost: 1 }]);
const decided = performance.now();
process.on("exit", () => process.stdout.write(`${Math.round(performance.now() - decided)}`));
