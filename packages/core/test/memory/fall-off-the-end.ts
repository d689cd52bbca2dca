import { memoryStore } from "../../src/memory/memory-store.ts";
import { policyOf } from "./policy-of.ts";

// One decision that counts for a day, and nothing else to do: prints what the process would wait for.
memoryStore().consume([{ policy: policyOf({ window: 86_400_000 }), stateKey: "somebody", cost: 1 }]);
process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()));
