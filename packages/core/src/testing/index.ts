export { describeStoreContract, type Runner } from "./store-contract.ts";
export { manualClock, type ManualClock } from "./manual-clock.ts";
export type { Capabilities, StoreFactory } from "./scenario.ts";
